/** A dashboard on an empty database behind a small front that stands in for the gateway: it adds what the gateway adds. */
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadSettings } from "../../src/config/load-settings.ts"
import type { Settings } from "../../src/config/settings.ts"
import { startDashboard } from "../../src/dashboard/DashboardServer.ts"
import { ensureBuilt } from "../../src/dashboard/ensure-built.ts"
import type { LiveState } from "../../src/dashboard/live-state.ts"
import type { RouteTried } from "../../src/domain/route-tried.ts"
import type { Sql } from "../../src/storage/Database.ts"
import { startTestDatabase } from "../storage/start-database.ts"
import { openSql } from "../storage/with-sql.ts"
import { listen } from "../listen.ts"

export interface TestDashboard {
  /** Where a browser goes. */
  readonly url: string
  /** The dashboard's own address, behind the front. */
  readonly innerUrl: string
  readonly databaseUrl: string
  readonly sql: Sql
  readonly warnings: ReadonlyArray<string>
  /** Its settings are read again. */
  readonly apply: (change: (settings: Settings) => Settings) => void
  readonly stop: () => Promise<void>
}

export interface TestOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly change?: (settings: Settings) => Settings
  readonly limited?: boolean
  /** What browsers call this machine: they have passkeys for names alone. */
  readonly host?: "localhost"
  readonly live?: LiveState
  readonly tried?: (route: string) => RouteTried | undefined
  /** Shares the database of another one: a second node. */
  readonly databaseUrl?: string
}

export const webhookSecret = "webhook-secret-of-the-tests"

const bankEnvironment = {
  TOLLGATE_BANK_BIN: "970436",
  TOLLGATE_BANK_ACCOUNT: "0123456789",
  TOLLGATE_BANK_ACCOUNT_NAME: "CONG TY TOLLGATE",
  SEPAY_WEBHOOK_SECRET: webhookSecret
}

/** Takes the real bank away; an empty value counts as not set. */
export const noBank = Object.fromEntries(Object.keys(bankEnvironment).map((name) => [name, ""]))

export const startTestDashboard = async (options: TestOptions = {}): Promise<TestDashboard> => {
  const folder = await ensureBuilt()
  const dataDir = mkdtempSync(join(tmpdir(), "tollgate-dashboard-"))
  const database = options.databaseUrl === undefined ? await startTestDatabase() : undefined
  const databaseUrl = options.databaseUrl ?? database!.url
  const internalSecret = crypto.randomUUID()
  const front = await startFront(internalSecret, options.host)
  const environment = {
    ...bankEnvironment,
    // What operators do is asked without it; what it asks has tests of its own.
    OPERATORS_SECOND_FACTOR: "off",
    ...options.environment,
    DATA_DIR: dataDir
  }
  const loaded = await Effect.runPromise(loadSettings(environment, dataDir))
  const known = { ...loaded, databaseUrl, publicUrl: front.url }
  const settings = options.change?.(known) ?? known
  const warnings: Array<string> = []
  const dashboard = await startDashboard({
    settings,
    internalSecret,
    folder,
    limited: options.limited ?? false,
    jobPollSeconds: 0.5,
    readLive: () => Promise.resolve(options.live),
    tryRoute: (route) => Promise.resolve(options.tried?.(route)),
    warn: (message) => void warnings.push(message)
  })
  front.passTo(dashboard.url)
  const sql = openSql(databaseUrl, 4)
  return {
    url: front.url,
    innerUrl: dashboard.url,
    databaseUrl,
    sql,
    warnings,
    apply: (change) => dashboard.apply(change(settings)),
    stop: async () => {
      front.close()
      await dashboard.close()
      await sql.end()
      await database?.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}

const startFront = async (internalSecret: string, host = "127.0.0.1") => {
  let target = ""
  const server = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      "x-tollgate-internal": internalSecret,
      "x-real-ip": String(incoming.headers["x-test-address"] ?? "203.0.113.7"),
      "x-forwarded-host": incoming.headers.host,
      "x-forwarded-proto": "http"
    }
    const inner = request(`${target}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on("error", () => outgoing.destroy())
      answer.pipe(outgoing)
    })
    inner.on("error", () => outgoing.destroy())
    outgoing.on("close", () => inner.destroy())
    incoming.pipe(inner)
  })
  return {
    url: `http://${host}:${await listen(server)}`,
    passTo: (url: string) => {
      target = url
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
