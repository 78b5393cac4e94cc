/**
 * The gateway as it ships: the real program with its own PostgreSQL (fsync on), keys, wallets, one log line a call
 * (to /dev/null) and every charge committed before its answer.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import postgres from "postgres"
import { ensureProgramBuilt } from "../../src/program/build-program.ts"
import { routesTo } from "../../test/gateway/start-gateway.ts"
import type { Contender } from "./contenders.ts"
import { residentBytes } from "./read-process.ts"
import { seedAccounts } from "./seed-accounts.ts"
import { startProcess, type Started } from "./start-process.ts"

export interface TollgateOptions {
  readonly simulatorUrl: string
  /** The provider behind the Mistral models. */
  readonly leanUrl?: string
  /** A file: who vouches for it over TLS. */
  readonly leanAuthority?: string
  readonly threads?: number
  readonly nodeFlags?: ReadonlyArray<string>
  /** Another checkout than this one. */
  readonly checkout?: string
  /** A PostgreSQL that another node runs, instead of its own. */
  readonly databaseUrl?: string
}

const pollMs = 500
const quietTimeoutMs = 60_000

/** Until the dashboard answers too, and memory no longer changes: a first start builds the front end meanwhile. */
const untilQuiet = async ({ found, pid }: Started): Promise<void> => {
  const deadline = performance.now() + quietTimeoutMs
  const isServed = async () => (await fetch(`${found}/dashboard`, { redirect: "manual" })).status < 500
  while (!(await isServed()) && performance.now() < deadline) await delay(pollMs)
  let steady = 0
  let bytes = residentBytes(pid)
  while (steady < 3 && performance.now() < deadline) {
    await delay(pollMs)
    const now = residentBytes(pid)
    steady = Math.abs(now / bytes - 1) < 0.02 ? steady + 1 : 0
    bytes = now
  }
}

export class Tollgate {
  readonly started: Started
  readonly #folder: string
  #seeded = 0

  private constructor(started: Started, folder: string) {
    this.started = started
    this.#folder = folder
  }

  static async start(options: TollgateOptions): Promise<Tollgate> {
    // As installed; another checkout has been.
    if (options.checkout === undefined) await ensureProgramBuilt()
    const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-"))
    // PostgreSQL refuses to run as root: it must be able to enter as another user.
    chmodSync(folder, 0o755)
    const providers = routesTo(options.simulatorUrl)
    if (options.leanUrl !== undefined) {
      const route = { base_url: `${options.leanUrl}/v1`, api_key: "simulated", ca: options.leanAuthority }
      providers["mistral"] = { routes: [route] }
    }
    // JSON is YAML.
    writeFileSync(join(folder, "tollgate.yaml"), JSON.stringify({ providers }))
    const started = await startProcess({
      args: [...(options.nodeFlags ?? []), "src/main.ts", "serve"],
      ready: /Tollgate listens on (http:\/\/\S+)/,
      hears: "stderr",
      ...(options.checkout === undefined ? {} : { cwd: options.checkout }),
      env: {
        DATA_DIR: folder,
        PORT: "0",
        TOLLGATE_CONFIG: join(folder, "tollgate.yaml"),
        ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
        GATEWAY_THREADS: String(options.threads ?? 1),
        CODEC_THREADS: "1"
      }
    })
    await untilQuiet(started)
    return new Tollgate(started, folder)
  }

  /** Makes so many accounts and answers ourselves with their keys, called one after another. */
  async contender(accounts: number, name = "Tollgate"): Promise<Contender> {
    const prefix = `bench${this.#seeded++}x`
    const secrets = await this.sql((sql) => seedAccounts(sql, prefix, accounts))
    const keysFile = join(this.#folder, `${prefix}.keys`)
    writeFileSync(keysFile, secrets.join("\n"))
    return {
      name,
      url: this.started.found,
      headers: { authorization: "Bearer {key}" },
      keysFile,
      pid: this.started.pid,
      postgresOf: this.started.pid
    }
  }

  /** Of its own PostgreSQL. */
  get databaseUrl(): string {
    const told = JSON.parse(readFileSync(join(this.#folder, "server.json"), "utf8")) as {
      databaseUrl: string
    }
    return told.databaseUrl
  }

  async sql<A>(use: (sql: postgres.Sql) => Promise<A>): Promise<A> {
    const sql = postgres(this.databaseUrl, { max: 1, onnotice: () => {} })
    try {
      return await use(sql)
    } finally {
      await sql.end()
    }
  }

  async stop(): Promise<void> {
    await this.started.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
