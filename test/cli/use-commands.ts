/** The command line beside a database of the test file's own. */
import { afterAll, assert, beforeAll } from "@effect/vitest"
import { type ChildProcess, execFile, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"

export interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

type Environment = Readonly<Record<string, string>>

const runner = fileURLToPath(new URL("./run-commands.ts", import.meta.url))
const path = process.env["PATH"] ?? ""

/** A command as a process of its own, as people and programs run it. */
export const runProcess = (args: ReadonlyArray<string>, environment: Environment): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: path, ...environment }
    execFile(process.execPath, ["src/main.ts", ...args], { env }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr })
    )
  })

/** Commands in one process. */
class CommandRunner {
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, (ended: Ended) => void>()
  #lastId = 0

  constructor(environment: Environment) {
    this.#process = fork(runner, [], { env: { PATH: path, ...environment } })
    this.#process.on("message", ({ id, ...ended }: Ended & { readonly id: number }) => {
      this.#waiting.get(id)?.(ended)
      this.#waiting.delete(id)
    })
    this.#process.once("exit", () => {
      for (const end of this.#waiting.values())
        end({ status: -1, stdout: "", stderr: "the runner has ended" })
    })
  }

  run(args: ReadonlyArray<string>): Promise<Ended> {
    return new Promise((resolve) => {
      const id = ++this.#lastId
      this.#waiting.set(id, resolve)
      this.#process.send({ id, args })
    })
  }

  stop(): void {
    this.#process.disconnect()
    this.#process.kill()
  }
}

export const useCommands = (more: () => Environment = () => ({})) => {
  let database: TestDatabase
  let commands: CommandRunner
  beforeAll(async () => {
    database = await startTestDatabase()
    commands = new CommandRunner({ DATABASE_URL: database.url, ...more() })
  })
  afterAll(async () => {
    commands?.stop()
    await database?.stop()
  })
  const run = (...args: ReadonlyArray<string>) => commands.run(args)
  return {
    get databaseUrl() {
      return database.url
    },
    run,
    /** What it prints with `--json`, which is one line; it must succeed and complain of nothing. */
    json: async (...args: ReadonlyArray<string>) => {
      const { status, stderr, stdout } = await run(...args, "--json")
      assert.deepStrictEqual([status, stderr], [0, ""])
      assert.match(stdout, /^[^\n]+\n$/)
      return JSON.parse(stdout)
    }
  }
}
