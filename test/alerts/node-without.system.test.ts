/** What a node notices that was given no mail server or nobody who issues invoices, while another node of its database was. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll, onTestFinished } from "vitest"
import { lookQueue } from "../../src/alerts/queues.ts"
import { settingsParts } from "../../src/config/settings-parts.ts"
import type { Settings } from "../../src/config/settings.ts"
import { startInvoices } from "../../src/invoices/start-invoices.ts"
import type { Sql } from "../../src/storage/Database.ts"
import { writeNodeSettings } from "../../src/storage/NodeSettingsStore.ts"
import { JobQueue } from "../../src/storage/jobs/JobQueue.ts"
import { registerNode } from "../../src/storage/NodeStore.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { signUpOperator, signUpPerson, tellTransfer } from "../dashboard/TestPerson.ts"
import { einvoiceAt } from "../invoices/sepay-stub.ts"
import { until } from "../until.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let settings: Settings
let queue: JobQueue
beforeAll(async () => {
  dashboard = await startTestDashboard({ change: (loaded) => (settings = loaded) })
  await dashboard.sql`delete from jobs.schedule`
  queue = await JobQueue.open({ databaseUrl: dashboard.databaseUrl, warn: () => {}, steadyMs })
})
afterAll(async () => {
  await queue.close()
  await dashboard.stop()
})

/** A node that lives as long as nothing is cleaned up behind it. */
const tellOther = async (more: Partial<Settings>) => {
  const sql = dashboard.sql as Sql
  const { id } = await registerNode(sql, crypto.randomUUID(), [])
  await sql`update nodes set lease_until = now() + interval '1 hour' where id = ${id}`
  await writeNodeSettings(sql, id, settingsParts({ ...settings, ...more }))
  const invoices = await startInvoices(queue, { ...settings, ...more })
  onTestFinished(() => invoices?.close())
}

/** What a look of the node makes of it. */
const topUp = async (email: string) => {
  const person = await signUpPerson(dashboard, email)
  await person.post(`${api}/billing`, { company: "Công ty Lan", tax_code: "", address: "", email })
  await person.post(`${api}/alerts`, {
    balance_below_vnd: null,
    days_left: null,
    mail: ["top_up.credited"],
    email: "",
    language: "en"
  })
  const { code } = (await person.post(`${api}/top-ups`, { amount: 500_000 })).body
  await tellTransfer(dashboard, { id: email, content: code, transferAmount: 500_000 })
  const accountId = await accountOf(person)
  const { sql } = dashboard
  await queue.run((sql) =>
    sql.begin((transaction) => queue.add(transaction, lookQueue, [{ key: lookQueue, data: {} }]))
  )
  await until(async () => (await sql`select from alerts where account_id = ${accountId}`).length > 0, 30)
  return {
    mails: (await sql`select from alert_deliveries where account_id = ${accountId}`).length,
    invoices: (await sql`select from invoices where account_id = ${accountId}`).length,
    jobs: (await sql`select from jobs.job where name = 'issue-invoice'`).length
  }
}

describe("a node that sends no mail and issues no invoices", () => {
  it("leaves both to another that does", async () => {
    assert.deepStrictEqual(await topUp("alone@example.vn"), { mails: 0, invoices: 0, jobs: 0 })
    await tellOther({
      mail: { url: "smtp://127.0.0.1", from: "tollgate@example.vn" },
      einvoice: einvoiceAt("http://127.0.0.1")
    })
    assert.deepStrictEqual(await topUp("two@example.vn"), { mails: 1, invoices: 1, jobs: 1 })
  })

  it("has an invoice tried again by another that issues them, if any lives", async () => {
    const { sql } = dashboard
    const operator = await signUpOperator(dashboard, "ke-toan@example.vn")
    const [invoice] = await sql<[{ id: string }]>`
      update invoices set status = 'failed', attempts = 1 where status = 'waiting' returning id`
    const retry = () => operator.post(`${api}/operator/invoices/${invoice.id}/retry`)
    const statusOf = async () =>
      (await sql`select status from invoices where id = ${invoice.id}`)[0]!["status"]
    await sql`delete from node_settings`
    assert.strictEqual((await retry()).status, 404)
    assert.strictEqual(await statusOf(), "failed")
    await sql`delete from jobs.job where name = 'issue-invoice'`
    await tellOther({ einvoice: einvoiceAt("http://127.0.0.1") })
    assert.strictEqual((await retry()).status, 200)
    assert.strictEqual(await statusOf(), "waiting")
    assert.lengthOf(await sql`select from jobs.job where name = 'issue-invoice'`, 1)
  })
})
