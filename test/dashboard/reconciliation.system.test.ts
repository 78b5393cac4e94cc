import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import { tmpdir } from "node:os"
import { loadSettings } from "../../src/config/load-settings.ts"
import { openDashboardContext } from "../../src/dashboard/DashboardContext.ts"
import { startReconciliation } from "../../src/dashboard/reconciliation.ts"
import { lockMonths } from "../../src/storage/keep-months.ts"
import { openSql } from "../storage/with-sql.ts"
import { startTestDashboard } from "./start-dashboard.ts"
import { signUpPerson } from "./TestPerson.ts"
import { listen } from "../listen.ts"
import { until } from "../until.ts"

/** A bank's messenger that answers with whatever list it holds. */
const startBank = async (answer: (request: IncomingMessage) => unknown) => {
  const server = createServer((request, response) => response.end(JSON.stringify(answer(request))))
  return { url: `http://127.0.0.1:${await listen(server)}`, close: () => server.close() }
}

describe("the reconciliation job", () => {
  it("asks at the start on one node, also while one looks after the months, credits what the webhook missed, and says how much that was", async () => {
    const dashboard = await startTestDashboard()
    const person = await signUpPerson(dashboard, "doi-soat@example.com")
    const { code } = (await person.post("/dashboard/api/top-ups", { amount: 60_000 })).body
    const row = {
      id: "31",
      account_number: "0123456789",
      transaction_date: "2026-11-20 10:00:00",
      amount_in: "60000.00",
      amount_out: "0.00",
      transaction_content: code
    }
    const months = openSql(dashboard.databaseUrl)
    assert.isTrue(await lockMonths(months))
    const bank = await startBank(() => ({ status: 200, transactions: [row] }))
    const warnings: Array<string> = []
    const environment = {
      DATABASE_URL: dashboard.databaseUrl,
      DATA_DIR: tmpdir(),
      TOLLGATE_SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
      TOLLGATE_BANK_BIN: "970436",
      TOLLGATE_BANK_ACCOUNT: "0123456789",
      TOLLGATE_BANK_ACCOUNT_NAME: "CONG TY TOLLGATE",
      SEPAY_API_TOKEN: "token"
    }
    const loaded = await Effect.runPromise(loadSettings(environment, tmpdir()))
    const baseUrls = { ...loaded.topUp.baseUrls, sepay: bank.url }
    const settings = { ...loaded, topUp: { ...loaded.topUp, baseUrls } }
    const context = await openDashboardContext({
      settings,
      limited: false,
      readLive: () => Promise.resolve(undefined),
      tryRoute: () => Promise.resolve(undefined),
      warn: (message) => void warnings.push(message)
    })
    const stops = [startReconciliation(context), startReconciliation(context)]
    await until(() => warnings.length > 0)
    assert.deepStrictEqual(warnings, ["SePay's webhook had not told of 1 transfer; received now"])
    assert.strictEqual((await person.get("/dashboard/api/overview")).body.balance_vnd, "60000")
    stops.forEach((stop) => stop())
    await context.close()
    await months.end()
    bank.close()
    await dashboard.stop()
  })
})
