#!/usr/bin/env node
// Starts the command line with the Node that the project brings along, whatever Node runs this file.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const pinned = fileURLToPath(new URL("../../node_modules/.bin/node", import.meta.url))
const main = fileURLToPath(new URL("../main.ts", import.meta.url))

const child = spawn(existsSync(pinned) ? pinned : process.execPath, [main, ...process.argv.slice(2)], {
  stdio: "inherit"
})

// A terminal sends these to both processes; what other processes send to this one is passed on.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))

child.on("error", (error) => {
  process.stderr.write(`tollgate: ${error.message}\n`)
  process.exit(1)
})
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
