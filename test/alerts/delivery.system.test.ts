/** How alerts get through: past receivers that fail, over several nodes, and to no address that must not be called. */
import { assert, describe, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { afterAll, beforeAll, onTestFinished, vi } from "vitest"
import { noProxies } from "../../src/config/choose-proxy.ts"
import { WebhookPoster } from "../../src/alerts/post-webhook.ts"
import { JobQueue } from "../../src/storage/jobs/JobQueue.ts"
import { lookAtAccounts } from "../../src/alerts/look-at-accounts.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpPerson, tellTransfer, type TestPerson } from "../dashboard/TestPerson.ts"
import { type Receiver, startReceiver } from "./receive-webhooks.ts"
import { until } from "../until.ts"

const api = "/dashboard/api"

let receiver: Receiver
let dashboard: TestDashboard
let person: TestPerson
let webhookId: string

const options = {
  environment: { TOLLGATE_SEAL_KEY: randomBytes(32).toString("base64") },
  change: (
    settings: Parameters<NonNullable<Parameters<typeof startTestDashboard>[0]>["change"] & object>[0]
  ) => ({
    ...settings,
    webhooks: { privateRanges: ["127.0.0.1"] }
  })
}

beforeAll(async () => {
  receiver = await startReceiver()
  dashboard = await startTestDashboard(options)
  person = await signUpPerson(dashboard, "giao@example.vn")
  webhookId = (await addWebhook(receiver.url)).body.id
})
afterAll(async () => {
  await dashboard.stop()
  receiver.stop()
})

const addWebhook = (url: string) => person.post(`${api}/alerts/webhooks`, { url, kinds: ["top_up.credited"] })
const sendTest = async (id = webhookId) =>
  String((await person.post(`${api}/alerts/webhooks/${id}/test`)).body.delivery)
const resend = (id: string) => person.post(`${api}/alerts/deliveries/${id}/resend`)

interface Shown {
  readonly id: string
  readonly status: string
  readonly attempts: number
  readonly outcome: string
  readonly next_at: number | null
}

/** The line of the log, once `isSo`. */
const shown = (id: string, isSo: (line: Shown) => boolean): Promise<Shown> =>
  until(async () => {
    const deliveries: ReadonlyArray<Shown> = (await person.get(`${api}/alerts/deliveries`)).body.deliveries
    return deliveries.find((line) => line.id === id && isSo(line))
  }, 60)

describe("kinds of alerts", () => {
  it("are shown beside a later version's, which are left as they are", async () => {
    const accountId = await accountOf(person)
    await dashboard.sql`update webhook_endpoints set kinds = kinds || '{of.tomorrow}' where account_id = ${accountId}`
    await dashboard.sql`insert into alert_settings (account_id, mail_kinds, email, language)
      values (${accountId}, '{of.tomorrow,key.created}', '', 'en')`
    const shown = await person.get(`${api}/alerts`)
    assert.strictEqual(shown.status, 200)
    assert.deepStrictEqual(shown.body.settings.mail, ["key.created"])
    assert.deepStrictEqual(shown.body.webhooks[0].kinds, ["top_up.credited"])
    await person.post(`${api}/alerts`, { language: "vi" })
    const [kept] = await dashboard.sql`select mail_kinds from alert_settings where account_id = ${accountId}`
    assert.deepStrictEqual(kept?.["mail_kinds"], ["of.tomorrow", "key.created"])
  })
})

describe("a delivery", () => {
  it("is tried again under the same id where the receiver fails, with the next try shown", async () => {
    const from = receiver.received.length
    receiver.answerWith((index) => (index === from ? 500 : 204))
    const id = await sendTest()
    const failed = await shown(id, ({ attempts, next_at: next }) => attempts === 1 && next !== null)
    assert.deepStrictEqual([failed.status, failed.outcome], ["pending", "500"])
    assert.isAbove(failed.next_at!, Date.now())
    await resend(id)
    const delivered = await shown(id, ({ status }) => status === "delivered")
    assert.deepStrictEqual([delivered.attempts, delivered.outcome], [2, "204"])
    const [first, second] = receiver.received.slice(from)
    assert.strictEqual(first!.headers["webhook-id"], second!.headers["webhook-id"])
    assert.strictEqual(first!.body, second!.body)
  })

  it("is given up after a day, and shown so; by hand it begins anew", async () => {
    receiver.answerWith(() => 410)
    const id = await sendTest()
    await shown(id, ({ attempts, next_at: next }) => attempts === 1 && next !== null)
    await dashboard.sql`update alert_deliveries set begun_at = begun_at - interval '1 day' where id = ${id}`
    await dashboard.sql`update jobs.job set start_after = now() where singleton_key = ${id}`
    const given = await shown(id, ({ status }) => status !== "pending")
    assert.deepStrictEqual([given.status, given.outcome, given.next_at], ["given_up", "410", null])
    receiver.answerWith(() => 204)
    await resend(id)
    await shown(id, ({ status }) => status === "delivered")
  })

  it("is not given up where the node's clock is days ahead", async () => {
    receiver.answerWith(() => 500)
    const id = await sendTest()
    await shown(id, ({ attempts, next_at: next }) => attempts === 1 && next !== null)
    const realNow = Date.now
    const ahead = vi.spyOn(Date, "now").mockImplementation(() => realNow() + 2 * 86_400_000)
    await dashboard.sql`update jobs.job set start_after = now() where singleton_key = ${id}`
    const again = await until(async () => {
      const rows = await dashboard.sql`select status from alert_deliveries where id = ${id} and attempts = 2`
      return rows[0]
    }, 30).finally(() => ahead.mockRestore())
    assert.strictEqual(again["status"], "pending")
    receiver.answerWith(() => 204)
    await resend(id)
    await shown(id, ({ status }) => status === "delivered")
  })

  it("follows no redirect", async () => {
    receiver.answerWith(() => 302)
    const id = await sendTest()
    const { outcome } = await shown(id, ({ attempts }) => attempts === 1)
    assert.strictEqual(outcome, "302")
    receiver.answerWith(() => 204)
  })

  it("waits while its webhook is paused, and ends with it", async () => {
    await person.post(`${api}/alerts/webhooks/${webhookId}`, { paused: true })
    const id = await sendTest()
    await dashboard.sql`update jobs.job set start_after = now() where singleton_key = ${id}`
    const isPutOff = async () =>
      (
        await dashboard.sql`select from jobs.job where singleton_key = ${id} and state = 'retry' and start_after > now()`
      ).length > 0
    await until(isPutOff)
    const before = receiver.received.length
    await person.post(`${api}/alerts/webhooks/${webhookId}`, { paused: false })
    await resend(id)
    await shown(id, ({ status }) => status === "delivered")
    assert.strictEqual(receiver.received.length, before + 1)
    const other = (await addWebhook(`${receiver.url}/other`)).body
    receiver.answerWith(() => 500)
    const pending = await sendTest(other.id)
    await shown(pending, ({ attempts }) => attempts === 1)
    await person.post(`${api}/alerts/webhooks/${other.id}/delete`)
    assert.strictEqual((await shown(pending, () => true)).status, "given_up")
    assert.strictEqual((await resend(pending)).status, 404)
    receiver.answerWith(() => 204)
  })

  it("does not wait for the receivers of others that do not answer", async () => {
    const silent = await startReceiver()
    onTestFinished(() => silent.stop())
    silent.answerWith(() => "never")
    const other = await signUpPerson(dashboard, "im-lang@example.vn")
    const hook = { url: silent.url, kinds: ["top_up.credited"] }
    const { id } = (await other.post(`${api}/alerts/webhooks`, hook)).body
    const waiting = Array.from({ length: 20 }, () => other.post(`${api}/alerts/webhooks/${id}/test`))
    for (const { status } of await Promise.all(waiting)) assert.strictEqual(status, 200)
    await silent.next(1)
    await shown(await sendTest(), ({ status }) => status === "delivered")
    // Of twenty, two at a time.
    assert.isBelow(silent.received.length, 10)
  })

  it("is made by one of two nodes, and once", async () => {
    const second = await startTestDashboard({ ...options, databaseUrl: dashboard.databaseUrl })
    const queues = await Promise.all(
      [0, 1].map(() => JobQueue.open({ databaseUrl: dashboard.databaseUrl, warn: () => {} }))
    )
    const before = receiver.received.length
    for (let index = 0; index < 20; index++) {
      const { code } = (await person.post(`${api}/top-ups`, { amount: 50_000 + index })).body
      await tellTransfer(dashboard, { id: `d${index}`, content: code, transferAmount: 50_000 + index })
    }
    const lookOptions = { sendsMail: false, callTimeoutSeconds: 900 }
    await Promise.all([...queues, ...queues].map((queue) => lookAtAccounts(queue, lookOptions)))
    await until(async () => {
      const pending = await dashboard.sql`
        select from alert_deliveries where status = 'pending' and endpoint_id = ${webhookId}`
      return pending.length === 0
    }, 60)
    const amounts = receiver.received
      .slice(before)
      .flatMap(({ json }) => (json.type === "top_up.credited" ? [json.data.amount_vnd] : []))
    assert.strictEqual(amounts.length, 20)
    assert.strictEqual(new Set(amounts).size, 20)
    for (const queue of queues) await queue.close()
    await second.stop()
  })
})

describe("an address of a webhook", () => {
  const poster = new WebhookPoster({
    proxies: noProxies,
    privateRanges: [],
    resolve: (_, done) => done(null, [{ address: "10.1.2.3", family: 4 }])
  })
  afterAll(() => poster.close())

  it.each([
    "http://example.com/hook",
    "https://127.0.0.1/hook",
    "https://[::1]/hook",
    "https://169.254.169.254/latest",
    "https://localhost/hook",
    "https://user:password@example.com/hook",
    "https://example.com:22/hook",
    "ftp://example.com/hook",
    "no address"
  ])("is refused: %s", (url) => {
    assert.isDefined(poster.problemOf(url))
  })

  it("may not lead inside by its name, whatever was looked up before", async () => {
    assert.isUndefined(poster.problemOf("https://example.com/hook"))
    const { isDelivered, outcome } = await poster.post("https://example.com/hook", "{}", {})
    assert.deepStrictEqual([isDelivered, outcome], [false, "address not found"])
  })

  it("leads inside no longer once the settings that let it do so are others", async () => {
    const within = (privateRanges: ReadonlyArray<string>) =>
      dashboard.apply((settings) => ({ ...settings, webhooks: { privateRanges } }))
    within([])
    try {
      const refused = await shown(await sendTest(), ({ attempts }) => attempts > 0)
      assert.deepStrictEqual([refused.status, refused.outcome], ["pending", "address not allowed"])
      assert.strictEqual((await addWebhook(receiver.url)).status, 400)
    } finally {
      within(["127.0.0.1"])
    }
    await shown(await sendTest(), ({ status }) => status === "delivered")
  })

  it("is refused when it is given, in words that name no network", async () => {
    const answer = await person.post(`${api}/alerts/webhooks`, { url: "https://10.0.0.1/hook", kinds: [] })
    assert.deepStrictEqual([answer.status, answer.body], [400, { error: { code: "webhook_url" } }])
    for (let index = 0; index < 5; index++) await addWebhook(`${receiver.url}/${index}`)
    assert.strictEqual((await addWebhook(receiver.url)).status, 409)
  })
})
