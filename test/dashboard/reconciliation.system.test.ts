import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import { startReconciliation } from "../../src/dashboard/reconciliation.ts"
import { advisoryLocks } from "../../src/storage/advisory-locks.ts"
import { lockMonths } from "../../src/storage/months/keep-months.ts"
import { startTestDatabase } from "../storage/start-database.ts"
import { openSql, withSql } from "../storage/with-sql.ts"
import { openReconciling } from "./open-reconciling.ts"
import { startTestDashboard } from "./start-dashboard.ts"
import { balanceVndOf } from "./own-account.ts"
import { signUpPerson } from "./TestPerson.ts"
import { listen } from "../listen.ts"
import { until } from "../until.ts"

const script = fileURLToPath(new URL("./reconcile-and-hang.ts", import.meta.url))

/** A bank's messenger that answers with whatever list it holds, if any. */
const startBank = async (answer: (request: IncomingMessage) => unknown) => {
  const server = createServer((request, response) => {
    const answered = answer(request)
    if (answered !== undefined) response.end(JSON.stringify(answered))
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    close: () => (server.close(), server.closeAllConnections())
  }
}

describe("the reconciliation job", () => {
  it("asks at the start on one node, also while one looks after the months, credits what the webhook missed, and says how much that was, or why it could not", async () => {
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
    const context = await openReconciling(dashboard.databaseUrl, bank.url, (said) => warnings.push(said))
    const stops = [startReconciliation(context), startReconciliation(context)]
    await until(() => warnings.length > 0)
    assert.deepStrictEqual(warnings, ["SePay's webhook had not told of 1 transfer; received now"])
    assert.strictEqual(await balanceVndOf(person), "60000")
    bank.close()
    stops.push(startReconciliation(context))
    await until(() => warnings.length > 1)
    assert.match(warnings[1]!, /^Could not ask SePay for transfers: .*ECONNREFUSED/)
    stops.forEach((stop) => stop())
    await context.close()
    await months.end()
    await dashboard.stop()
  })

  it("is done by another node once one that is frozen while it asks has been silent for half a minute", async () => {
    const database = await startTestDatabase()
    const asked = Promise.withResolvers<void>()
    const bank = await startBank(() => asked.resolve())
    const node = spawn(process.execPath, [script, database.url, bank.url], {
      stdio: ["ignore", "ignore", "inherit"]
    })
    onTestFinished(() => void node.kill("SIGKILL"))
    await asked.promise
    node.kill("SIGSTOP")
    await withSql(database.url, (sql) =>
      until(async () => {
        const [lock] = await sql`select pg_try_advisory_lock(${advisoryLocks.reconciliation}, 0) as taken`
        return lock!["taken"] === true
      }, 90)
    )
    node.kill("SIGKILL")
    await once(node, "exit")
    bank.close()
    await database.stop()
  })
})
