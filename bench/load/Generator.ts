/** The other end of a load generator. */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { node, root } from "../measure/start-process.ts"
import type { FromGenerator, HoldJob, HoldResult, LoadJob, LoadResult, ToGenerator } from "./job.ts"

type WithoutId<A> = A extends unknown ? Omit<A, "id"> : never

export class Generator {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (result: FromGenerator["result"]) => void>()
  #nextId = 1

  constructor() {
    const program = fileURLToPath(new URL("./serve-generator.ts", import.meta.url))
    this.#child = fork(program, { execPath: node, cwd: root, stdio: ["ignore", "inherit", "inherit", "ipc"] })
    this.#child.on("message", ({ id, result }: FromGenerator) => {
      this.#waiting.get(id)?.(result)
      this.#waiting.delete(id)
    })
  }

  get pid(): number {
    return this.#child.pid!
  }

  async load(job: LoadJob): Promise<LoadResult> {
    return (await this.#ask({ kind: "load", job })) as LoadResult
  }

  async hold(job: HoldJob): Promise<HoldResult> {
    return (await this.#ask({ kind: "hold", job })) as HoldResult
  }

  async release(): Promise<void> {
    await this.#ask({ kind: "release" })
  }

  close(): void {
    this.#child.disconnect()
  }

  #ask(message: WithoutId<ToGenerator>): Promise<FromGenerator["result"]> {
    return new Promise((resolve) => {
      const id = this.#nextId++
      this.#waiting.set(id, resolve)
      this.#child.send({ ...message, id })
    })
  }
}
