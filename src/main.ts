/** The program: sees that Node is recent enough, then hands over to the command line. */
import type { run as Run } from "./cli/run.ts"

// Nothing else may be imported before this check, since on another Node it could fail in a way nobody understands.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Tollgate needs Node 22.18 or later, this is ${process.versions.node}; "npm start" and "npx tollgate" bring their own\n`
  )
  process.exitCode = 1
} else {
  const { keepCompiled, programEntry } = await import("./program/entries.ts")
  const entry = programEntry()
  keepCompiled(entry)
  const { run } = (await import(entry.href)) as { readonly run: typeof Run }
  run(process.argv.slice(2))
}
