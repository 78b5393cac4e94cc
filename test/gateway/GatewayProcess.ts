/** The real program as a process of its own, which can be ended and launched again. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { until } from "../until.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const node = join(root, "node_modules", ".bin", "node")

/** A process that says nothing by then is ended, so that it does not outlive its test. */
const startMsMax = 60_000

export class GatewayProcess {
  readonly #environment: NodeJS.ProcessEnv
  #process: ChildProcess | undefined
  #url = ""
  /** Everything the process has written, for tests that look for what must not be there. */
  output = ""
  /** Of that, the log. */
  log = ""

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment
  }

  /** `http://127.0.0.1:PORT` of the running process. */
  get url(): string {
    return this.#url
  }

  get pid(): number {
    return this.#process!.pid!
  }

  get exitCode(): number | null {
    return this.#process!.exitCode
  }

  /** Starts the process; a second time after `kill` or `terminate`. */
  async launch(): Promise<void> {
    const child = spawn(node, ["src/main.ts", "serve"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: this.#environment
    })
    this.#process = child
    const timer = setTimeout(() => child.kill("SIGKILL"), startMsMax)
    child.stdout.on("data", (chunk: Buffer) => {
      this.output += chunk.toString()
      this.log += chunk.toString()
    })
    // Not what the process before it has said.
    const from = this.output.length
    this.#url = await new Promise<string>((resolve, reject) => {
      child.stderr.on("data", (chunk: Buffer) => {
        this.output += chunk.toString()
        const found = /Tollgate listens on (http:\/\/\S+)/.exec(this.output.slice(from).slice(-4_000))
        if (found !== null) resolve(found[1]!)
      })
      child.once("exit", (code) =>
        reject(new Error(`the gateway ended with ${code}: ${this.output.slice(-2_000)}`))
      )
    }).finally(() => clearTimeout(timer))
  }

  /** The whole line of the log with this in it, once it is there: it may come later than the answer that it is about. */
  logged(text: string): Promise<string> {
    return until(() =>
      this.log
        .split("\n")
        .slice(0, -1)
        .find((line) => line.includes(text))
    )
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal)
  }

  /** Sends a signal and waits for the end, and for all that was written until then; answers the exit code. */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null
    const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)))
    child.kill(signal)
    return ended
  }
}
