/**
 * A whole running gateway for tests: the real program as a process of its own, a database of the run's PostgreSQL, and
 * the simulator as every provider. Everything is on free ports of 127.0.0.1 and ends with `stop`.
 */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createAccount } from "../../src/accounts/accounts.ts"
import { createKey, type KeySettings } from "../../src/accounts/keys.ts"
import { SealKeys } from "../../src/accounts/SealKeys.ts"
import { creditWallet } from "../../src/accounts/wallet-credit.ts"
import { bedrockName, builtInProviders } from "../../src/config/built-in-providers.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { fromVnd, parseVnd } from "../../src/domain/money.ts"
import { startSimulator } from "../../src/simulator/server.ts"
import { Database, type Sql } from "../../src/storage/Database.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { startTestDatabase } from "../storage/start-database.ts"
import { withSql } from "../storage/with-sql.ts"
import { GatewayProcess } from "./GatewayProcess.ts"
import { until } from "../until.ts"

export interface TestAccount {
  readonly accountId: AccountId
  readonly email: string
  readonly keyId: string
  readonly key: string
}

export interface CallRow {
  readonly id: string
  readonly endpoint: string
  readonly model: string
  readonly model_requested: string
  readonly stream: boolean
  readonly status: number
  readonly error_type: string
  readonly input_tokens: number
  readonly output_tokens: number
  readonly units: number
  readonly estimated: boolean
  readonly cost_micro_vnd: bigint
  readonly cache_read_tokens: number | null
  readonly reasoning_tokens: number | null
  readonly tier: string | null
  readonly route: string | null
  readonly tool_uses: ReadonlyArray<{ readonly tool: string; readonly uses: number }> | null
  readonly attempts: ReadonlyArray<{ readonly route: string; readonly outcome: number | string }> | null
}

export interface GatewayOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Added to the generated tollgate.yaml, as its `limits` and so on. */
  readonly yaml?: Readonly<Record<string, unknown>>
  /** Instead of the simulator at `simulatorUrl`: base addresses by provider. */
  readonly routes?: Readonly<Record<string, ReadonlyArray<Record<string, unknown>>>>
  /** A database of one's own; else a fresh one is made, and dropped by `stop`. */
  readonly databaseUrl?: string
  readonly dataDir?: string
  readonly port?: number
}

/** The base address of a provider that speaks chat ends in the version. */
export const routesTo = (origin: string): Record<string, { routes: Array<Record<string, unknown>> }> =>
  Object.fromEntries(
    [...builtInProviders, [bedrockName, { style: "bedrock" }] as const].map(([name, { style }]) => [
      name,
      { routes: [{ base_url: style === "chat" ? `${origin}/v1` : origin, api_key: "simulated" }] }
    ])
  )

export class TestGateway extends GatewayProcess {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly simulatorUrl: string
  readonly #closers: Array<() => Promise<void> | void>

  constructor(
    options: GatewayOptions,
    place: { readonly databaseUrl: string; readonly dataDir: string; readonly simulatorUrl: string },
    closers: Array<() => Promise<void> | void>
  ) {
    super({
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "/tmp",
      DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl,
      PORT: String(options.port ?? 0),
      OPERATORS_SECOND_FACTOR: "off",
      // A third of what a start takes, which few tests ask for.
      DASHBOARD: "off",
      GATEWAY_THREADS: "1",
      CODEC_THREADS: "1",
      TOLLGATE_CONFIG: join(place.dataDir, "tollgate.yaml"),
      ...options.env
    })
    this.databaseUrl = place.databaseUrl
    this.dataDir = place.dataDir
    this.simulatorUrl = place.simulatorUrl
    this.#closers = closers
  }

  /** An account with `vnd` dong (a decimal text) and one key. */
  async account(vnd = "50000", options: Partial<KeySettings> = {}): Promise<TestAccount> {
    const email = `${crypto.randomUUID()}@example.com`
    return this.run(
      Effect.gen(function* () {
        const { accountId } = yield* createAccount({
          email,
          credit: parseVnd(vnd) ?? fromVnd(0n),
          actor: "test"
        })
        const { keyId, secret } = yield* createKey({ name: "test", ...options, accountId, actor: "test" })
        return { accountId, email, keyId, key: secret }
      })
    )
  }

  /** Adds money, as the command line does: it counts on the running server when this returns. */
  credit(accountId: AccountId, vnd: string, { force = false } = {}): Promise<unknown> {
    return this.run(
      creditWallet({
        accountId,
        amount: parseVnd(vnd)!,
        reason: "test",
        actor: "test",
        creditId: crypto.randomUUID(),
        force
      })
    )
  }

  /** Runs an operation of `src/accounts` on the gateway's database. */
  run<A, E>(effect: Effect.Effect<A, E, Database | SealKeys | DatabaseUrl>): Promise<A> {
    const url = DatabaseUrl.layerOf(this.databaseUrl)
    const services = Layer.mergeAll(Database.layer, SealKeys.layerOf([sealKey])).pipe(Layer.provideMerge(url))
    return Effect.runPromise(Effect.provide(effect, services))
  }

  /** The thread of the dashboard comes up a moment after the gateway's. */
  untilPages(): Promise<true> {
    return until(async () => (await fetch(`${this.url}/dashboard/api/session`)).ok, 60)
  }

  sql<A>(use: (sql: Sql) => Promise<A>): Promise<A> {
    return withSql(this.databaseUrl, use)
  }

  /** The call log of an account, oldest first; waits until it has at least `count` rows. */
  calls(accountId: AccountId, count = 0): Promise<ReadonlyArray<CallRow>> {
    return this.sql((sql) =>
      until(async () => {
        const rows = await sql<Array<CallRow>>`
          select id, endpoint, model, model_requested, stream, status, error_type, input_tokens, output_tokens, units,
            estimated, cost_micro_vnd, cache_read_tokens, reasoning_tokens, tier, route, tool_uses, attempts from calls where account_id = ${accountId} order by at, id`
        return rows.length >= count && [...rows]
      }, 30)
    )
  }

  /** µVND. */
  async balance(accountId: AccountId): Promise<bigint> {
    const [row] = await this.sql(
      (sql) => sql<Array<{ balance: bigint }>>`
        select balance_micro_vnd as balance from wallet_balances where account_id = ${accountId}`
    )
    return row!.balance
  }

  /** Asks the simulator for what it has seen; waits until `until` counts are reached (`finished=3`), and fails where they never are. */
  async seen(until: Partial<SimulatorCounts> = {}): Promise<SimulatorCalls> {
    const query = Object.entries(until)
      .map(([name, value]) => `${name}=${value}`)
      .join("&")
    const answer = await fetch(`${this.simulatorUrl}/_sim/calls?${query}`)
    const calls = (await answer.json()) as SimulatorCalls
    const { openStreams = Infinity, ...reached } = until
    assert.isAtMost(calls.openStreams, openStreams, "openStreams")
    for (const [name, least] of Object.entries(reached))
      assert.isAtLeast(calls[name as keyof SimulatorCounts], least, name)
    return calls
  }

  async stop(): Promise<void> {
    await this.end("SIGTERM")
    for (const close of this.#closers.toReversed()) await close()
  }
}

interface SimulatorCounts {
  readonly started: number
  readonly finished: number
  readonly aborted: number
  readonly openStreams: number
}

export interface SimulatorCalls extends SimulatorCounts {
  readonly last: ReadonlyArray<{
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly aborted: boolean
    readonly bytesSent: number
  }>
}

const sealKey = createHash("sha256").update("test seal key").digest()

export const startGateway = async (options: GatewayOptions = {}): Promise<TestGateway> => {
  const closers: Array<() => Promise<void> | void> = []
  const simulator = await startSimulator()
  closers.push(() => simulator.close())
  let { databaseUrl } = options
  if (databaseUrl === undefined) {
    const database = await startTestDatabase()
    databaseUrl = database.url
    closers.push(database.stop)
  }
  let { dataDir } = options
  if (dataDir === undefined) {
    const made = mkdtempSync(join(tmpdir(), "tollgate-test-"))
    dataDir = made
    closers.push(() => rmSync(made, { recursive: true, force: true }))
  }
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true })
  writeFileSync(
    join(dataDir, "tollgate.yaml"),
    // JSON is YAML.
    JSON.stringify({
      ...options.yaml,
      providers: merged(
        routesTo(simulator.url),
        options.yaml?.["providers"] as Record<string, object> | undefined,
        options.routes
      )
    })
  )
  const gateway = new TestGateway(
    { ...options, env: { TOLLGATE_SEAL_KEY: sealKey.toString("base64"), ...options.env } },
    { databaseUrl, dataDir, simulatorUrl: simulator.url },
    closers
  )
  try {
    await gateway.launch()
    if (options.env?.["DASHBOARD"] === "on") await gateway.untilPages()
  } catch (error) {
    await gateway.stop()
    throw error
  }
  return gateway
}

/** The simulator's providers with what the test says of them; its routes come before all others. */
const merged = (
  simulated: Record<string, object>,
  configured: Readonly<Record<string, object>> = {},
  routes: GatewayOptions["routes"] = {}
): Record<string, object> => {
  const names = new Set([simulated, configured, routes].flatMap(Object.keys))
  const settingsOf = (name: string) => ({
    ...simulated[name],
    ...configured[name],
    ...(routes[name] !== undefined && { routes: routes[name] })
  })
  return Object.fromEntries([...names].map((name) => [name, settingsOf(name)]))
}
