/** Starts the programs that take part in a measurement, and ends them all with the suite, however that ends. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))
export const node = join(root, "node_modules", ".bin", "node")

export interface Started {
  readonly pid: number
  /** What `ready` found in the program's output. */
  readonly found: string
  readonly startedInMs: number
  readonly stop: () => Promise<void>
}

const running = new Set<ChildProcess>()
const startTimeoutMs = 60_000
const endTimeoutMs = 15_000

process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")))
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1))

/**
 * Ends when the output has `ready`, whose first group becomes `found`; or when `ready` is an address, and that answers. Of the two outputs, standard error is
 * read in any case, standard output where the program `hears` it. `program`: Node's without it.
 */
export const startProcess = async (options: {
  readonly program?: string
  readonly args: ReadonlyArray<string>
  readonly ready: RegExp | string
  readonly hears: "stdout" | "stderr"
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}): Promise<Started> => {
  const startMs = performance.now()
  const child = spawn(options.program ?? node, options.args, {
    cwd: options.cwd ?? root,
    stdio: ["ignore", options.hears === "stdout" ? "pipe" : "ignore", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "/tmp", ...options.env }
  })
  running.add(child)
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  let output = ""
  const found = await new Promise<string>((resolve, reject) => {
    const { ready } = options
    const hear = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
      const match = typeof ready === "string" ? null : ready.exec(output)
      if (match !== null) resolve(match[1]!)
    }
    if (typeof ready === "string") void untilAnswered(ready, child).then(() => resolve(ready))
    child.stdout?.on("data", hear)
    child.stderr!.on("data", hear)
    const fail = (reason: string) => reject(new Error(`${options.args.join(" ")}: ${reason}\n${output}`))
    child.once("exit", (code) => {
      running.delete(child)
      fail(`ended with ${code}`)
    })
    setTimeout(() => fail("does not start"), startTimeoutMs).unref()
  })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const killer = setTimeout(() => child.kill("SIGKILL"), endTimeoutMs)
    child.kill("SIGTERM")
    await ended
    clearTimeout(killer)
  }
  return { pid: child.pid!, found, startedInMs: performance.now() - startMs, stop }
}

const untilAnswered = async (url: string, child: ChildProcess): Promise<void> => {
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false
    )
  while (running.has(child) && !(await answers())) await delay(100)
}

/** Runs a program of `bench` to its end; answers what it printed. */
export const runProgram = (name: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(node, [join(root, "bench", name), ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"]
  })
