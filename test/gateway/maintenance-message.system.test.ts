/** What operators say of maintenance: in the errors of every node and above every page, once that is answered. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { signUpOperator, signUpPerson, TestPerson } from "../dashboard/TestPerson.ts"
import { ask, errorOf, messagesCall } from "./ask.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

const api = "/dashboard/api"
const standing = "The service is under maintenance. Please try again later."
const vi = "Nâng cấp cơ sở dữ liệu, xong trước 23 giờ."
const en = "The database is being upgraded; done before 11 pm."
const hourMs = 3_600_000

let one: TestGateway
let other: TestGateway
let dashboard: TestDashboard
let account: TestAccount
let operator: TestPerson
let customer: TestPerson
beforeAll(async () => {
  const env = { GATEWAY_THREADS: "2" }
  one = await startGateway({ env })
  other = await startGateway({ env, databaseUrl: one.databaseUrl })
  dashboard = await startTestDashboard({ databaseUrl: one.databaseUrl })
  account = await one.account("500000")
  operator = await signUpOperator(dashboard, "op@example.com")
  customer = await signUpPerson(dashboard, "khach@example.com")
})
afterAll(async () => {
  await dashboard?.stop()
  await other?.stop()
  await one?.stop()
})

const callOn = (node: TestGateway) => ask(node, account.key, "/v1/messages", messagesCall("hi"))

const refusalOn = async (node: TestGateway) => {
  const answer = await callOn(node)
  assert.strictEqual(answer.status, 503)
  assert.isDefined(answer.headers.get("retry-after"))
  const { message, type } = errorOf(answer)
  assert.strictEqual(type, "service_unavailable")
  return message
}

/** Every thread has connections of its own, and each call may meet another one. */
const refusalsOf = async (nodes: ReadonlyArray<TestGateway>) => {
  const calls = nodes.flatMap((node) => Array.from({ length: 6 }, () => refusalOn(node)))
  return [...new Set(await Promise.all(calls))]
}

const change = async (path: string, body: object) => {
  const { status } = await operator.post(`${api}/operator/${path}`, body)
  assert.strictEqual(status, 200)
}

const shownTo = async (person: TestPerson) => (await person.get(`${api}/session`)).body.maintenance

describe("what is said of maintenance", () => {
  it("stands in the error of every node and thread, of those that start later, too, and goes with maintenance", async () => {
    const until = Date.now() + hourMs
    await change("maintenance", { on: true, notice: { vi, en, until } })
    assert.deepStrictEqual(await refusalsOf([one, other]), [`${standing} ${en}`])
    const late = await startGateway({ databaseUrl: one.databaseUrl })
    try {
      assert.deepStrictEqual(await refusalsOf([late]), [`${standing} ${en}`])
      await change("notice", { notice: { vi, en: null, until: null } })
      assert.deepStrictEqual(await refusalsOf([one, other, late]), [`${standing} ${vi}`])
    } finally {
      await late.stop()
    }
    await change("notice", { notice: null })
    assert.deepStrictEqual(await refusalsOf([one, other]), [standing])
    await change("maintenance", { on: false })
    assert.deepStrictEqual([(await callOn(one)).status, (await callOn(other)).status], [200, 200])
    await change("maintenance", { on: true })
    assert.deepStrictEqual(await refusalsOf([one, other]), [standing])
    await change("maintenance", { on: false })
  })

  it("is shown to whoever is signed in, from when it is announced until maintenance ends", async () => {
    assert.isUndefined(await shownTo(customer))
    const until = Date.now() + hourMs
    await change("notice", { notice: { vi: ` ${vi} `, en, until } })
    assert.deepStrictEqual(await shownTo(customer), { on: false, vi, en, until })
    assert.strictEqual((await callOn(one)).status, 200)
    assert.isUndefined(await shownTo(new TestPerson(dashboard)), "of strangers nobody")
    await change("maintenance", { on: true })
    assert.deepStrictEqual(await shownTo(customer), { on: true, vi, en, until })
    const { maintenance, notice } = (await operator.get(`${api}/operator/service`)).body
    assert.deepStrictEqual([maintenance, notice], [true, { vi, en, until }])
    await change("maintenance", { on: true, notice: null })
    assert.deepStrictEqual(await shownTo(customer), { on: true, vi: null, en: null, until: null })
    await change("maintenance", { on: false })
    assert.isUndefined(await shownTo(customer))
  })

  it("is over at its planned end where maintenance never began, and not said of maintenance that begins later", async () => {
    await change("notice", { notice: { vi, en: null, until: Date.now() + hourMs } })
    await dashboard.sql`
      update settings set value = jsonb_set(value, '{until_ms}', '1795000000') where name = 'maintenance_notice'`
    assert.isUndefined(await shownTo(customer))
    await change("maintenance", { on: true })
    assert.deepStrictEqual(await refusalsOf([one, other]), [standing])
    await change("maintenance", { on: false })
  })

  it.each([
    ["more than one line", { vi: "a\nb", en: null, until: null }, /control characters$/],
    ["nothing", { vi: " ", en: null, until: null }, /must not be empty$/],
    ["too much", { vi: "a".repeat(301), en: null, until: null }, /longer than 300 characters$/],
    ["too much in English", { vi, en: "a".repeat(301), until: null }, /longer than 300 characters$/],
    ["an end that is over", { vi, en: null, until: Date.now() - 1 }, /^The planned end /],
    ["an end in years", { vi, en: null, until: Date.now() + 400 * 24 * hourMs }, /^The planned end /]
  ])("is refused where it is %s", async (_, notice, said) => {
    for (const [path, body] of [
      ["notice", { notice }],
      ["maintenance", { on: true, notice }]
    ] as const) {
      const answer = await operator.post(`${api}/operator/${path}`, body)
      const { message, ...error } = answer.body.error
      assert.deepStrictEqual([answer.status, error], [400, { code: "invalid" }])
      assert.match(message, said)
    }
    assert.strictEqual((await callOn(one)).status, 200)
  })

  it("is refused with the end of maintenance", async () => {
    const notice = { vi, en: null, until: null }
    assert.strictEqual(
      (await operator.post(`${api}/operator/maintenance`, { on: false, notice })).status,
      400
    )
  })

  it("is in the audit log with its words", async () => {
    const until = Date.now() + hourMs
    await change("notice", { notice: { vi, en, until } })
    await change("maintenance", { on: true, notice: { vi, en: null, until: null } })
    await change("maintenance", { on: false })
    const { entries } = (await operator.get(`${api}/operator/audit`)).body
    assert.deepStrictEqual(
      entries
        .slice(0, 3)
        .map(({ action, detail, subject }: Record<string, unknown>) => [action, subject, detail]),
      [
        ["setting.write", "maintenance", { value: false }],
        ["setting.write", "maintenance", { value: true, message: vi }],
        [
          "setting.write",
          "maintenance_notice",
          { message: vi, message_en: en, until: new Date(until).toISOString() }
        ]
      ]
    )
  })
})
