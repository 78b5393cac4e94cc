/** The whole program as its own process, on a database of its own, with the simulator as its provider. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Sql } from "../../src/storage/Database.ts"
import { webhookSecret } from "../dashboard/start-dashboard.ts"
import { startTestDatabase } from "../storage/start-database.ts"
import { openSql } from "../storage/with-sql.ts"
import { until } from "../until.ts"

export interface TestServer {
  readonly url: string
  readonly sql: Sql
  readonly stop: () => Promise<void>
}

const main = join(import.meta.dirname, "../../src/main.ts")

export const startServer = async (): Promise<TestServer> => {
  const database = await startTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), "tollgate-server-"))
  const child = spawn(process.execPath, [main, "serve"], {
    cwd: dataDir,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: process.env["PATH"],
      PORT: "0",
      GATEWAY_THREADS: "1",
      CODEC_THREADS: "1",
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      TOLLGATE_BANK_BIN: "970436",
      TOLLGATE_BANK_ACCOUNT: "0123456789",
      TOLLGATE_BANK_ACCOUNT_NAME: "CONG TY TOLLGATE",
      SEPAY_WEBHOOK_SECRET: webhookSecret,
      OPERATORS_SECOND_FACTOR: "off"
    }
  })
  const sql = openSql(database.url, 2)
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const stop = async () => {
    child.kill("SIGTERM")
    await exited
    await sql.end()
    await database.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const url = await readUrl(child.stderr)
    await untilDashboard(url)
    return { url, sql, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const readUrl = (stream: NodeJS.ReadableStream) =>
  new Promise<string>((resolve, reject) => {
    let said = ""
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      const url = /Tollgate listens on (\S+)/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    })
    stream.on("end", () => reject(new Error(`the server ended: ${said}`)))
  })

/** Its thread comes up a moment after the gateway. */
const untilDashboard = (url: string) =>
  until(async () => {
    const response = await fetch(`${url}/dashboard/api/session`).catch(() => undefined)
    return response?.status === 200
  }, 30)
