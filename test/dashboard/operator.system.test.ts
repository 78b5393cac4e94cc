import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let operator: TestPerson
let customer: TestPerson
let accountId: string
beforeAll(async () => {
  dashboard = await startTestDashboard({
    environment: { ANTHROPIC_API_KEY: "the-provider-key" },
    live: {
      openCalls: 3,
      heldMicroVnd: "1500000",
      callsPerMinute: 42,
      isLedgerReady: true,
      eventLoopDelayMs: 1
    }
  })
  operator = await signUpOperator(dashboard, "op@example.com")
  customer = await signUpPerson(dashboard, "khach_hang@example.com")
  accountId = await accountOf(customer)
})
afterAll(() => dashboard.stop())

const credit = (amount: string, id: string = crypto.randomUUID(), reason = "quà tặng") =>
  operator.post(`${api}/operator/accounts/${accountId}/credit`, { amount_vnd: amount, reason, id })

describe("an operator", () => {
  it("finds accounts by any part of their email, taken literally", async () => {
    const find = async (search: string) =>
      (await operator.get(`${api}/operator/accounts?search=${encodeURIComponent(search)}`)).body.accounts.map(
        ({ email }: { email: string }) => email
      )
    assert.deepStrictEqual(await find("KHACH_"), ["khach_hang@example.com"])
    assert.deepStrictEqual(await find(accountId), ["khach_hang@example.com"])
    assert.deepStrictEqual(await find("h_ng"), [])
    assert.deepStrictEqual(await find("x_y"), [])
  })

  it("credits to the micro-dong, once for each form, with name and reason in the audit log", async () => {
    const id = crypto.randomUUID()
    const answers = await Promise.all([credit("1000.000001", id), credit("1000.000001", id)])
    const changed = await credit("2000", id)
    assert.deepStrictEqual([changed.status, changed.body.error.code], [409, "credit_repeated"])
    assert.deepStrictEqual(
      answers.map(({ body }) => body.balance_vnd),
      ["1000.000001", "1000.000001"]
    )
    const view = (await operator.get(`${api}/operator/accounts/${accountId}`)).body
    assert.deepStrictEqual(
      view.credits.map((row: Record<string, unknown>) => [row["amount_vnd"], row["reason"], row["actor"]]),
      [["1000.000001", "quà tặng", "op@example.com"]]
    )
    assert.include(JSON.stringify(view.audit), "quà tặng")
  })

  it("sees the latest 50 that came into an account, and whether there are more", async () => {
    const own = await accountOf(operator)
    const credited = async (from: number, to: number) => {
      await dashboard.sql`
        insert into ledger_entries (account_id, source, source_id, amount_micro_vnd, reason)
        select ${own}, 'credit', 'many-' || number, number, 'many' from generate_series(${from}::int4, ${to}::int4) number`
      const { credits, has_more_credits: hasMore } = (await operator.get(`${api}/operator/accounts/${own}`))
        .body
      return [credits.length, credits[0].amount_vnd, hasMore]
    }
    assert.deepStrictEqual(await credited(1, 50), [50, "0.00005", false])
    assert.deepStrictEqual(await credited(51, 51), [50, "0.000051", true])
  })

  it("refunds no more than there is", async () => {
    assert.strictEqual((await credit("-900")).body.balance_vnd, "100.000001")
    const refused = await credit("-100.000002")
    assert.deepStrictEqual([refused.status, refused.body], [409, { error: { code: "below_zero" } }])
  })

  it.each(["0", "", "abc", "1e9", "1.0000001", "NaN"])("can not credit %s", async (amount) => {
    assert.strictEqual((await credit(amount)).status, 400)
  })

  it("must give a reason", async () => {
    assert.strictEqual((await credit("5", crypto.randomUUID(), "  ")).status, 400)
  })

  it("can not disable their own account", async () => {
    const own = await accountOf(operator)
    const answer = await operator.post(`${api}/operator/accounts/${own}/status`, { status: "disabled" })
    assert.strictEqual(answer.status, 409)
  })

  it("changes a price, which customers see at once and whose history is kept", async () => {
    const model = "gpt-5.5"
    const set = (price: number | null, disabled = false) =>
      operator.post(`${api}/operator/models`, { model, price_vnd: price, disabled })
    const shown = async () =>
      (await customer.get(`${api}/models`)).body.models.find(({ id }: { id: string }) => id === model)
    assert.strictEqual((await shown()).price_vnd, 2_400)
    assert.strictEqual((await set(9_999)).status, 200)
    assert.strictEqual((await shown()).price_vnd, 9_999)
    await set(null, true)
    assert.isUndefined(await shown())
    await set(null)
    assert.strictEqual((await shown()).price_vnd, 2_400)
    const history = (await operator.get(`${api}/operator/audit?subject=${model}`)).body.entries
    assert.deepStrictEqual(
      history.map(({ detail }: { detail: Record<string, unknown> }) => detail["former_price_vnd"]),
      [null, 9_999, null]
    )
    const [event] = await dashboard.sql`select count(*)::int as count from node_events where kind = 'models'`
    assert.strictEqual(event?.["count"], 3)
  })

  it("keeps the overrides of other models when two are changed at once", async () => {
    const models = ["gpt-5.4", "kimi-k3", "glm-5.3", "grok-4.7"]
    await Promise.all(
      models.map((model) => operator.post(`${api}/operator/models`, { model, price_vnd: 1, disabled: false }))
    )
    const listed = (await operator.get(`${api}/operator/models`)).body.models
    const changed = listed.filter(({ override }: { override: unknown }) => override !== null)
    assert.deepStrictEqual(changed.map(({ id }: { id: string }) => id).toSorted(), models.toSorted())
  })

  it.each([
    ["an unknown model", { model: "no-such-model", price_vnd: 1, disabled: false }, 404],
    ["a negative price", { model: "gpt-5.5", price_vnd: -1, disabled: false }, 400],
    ["a fraction", { model: "gpt-5.5", price_vnd: 0.5, disabled: false }, 400]
  ])("can not price %s", async (_, body, status) => {
    assert.strictEqual((await operator.post(`${api}/operator/models`, body)).status, status)
  })

  it("sees by whom a transfer was assigned", async () => {
    await tellTransfer(dashboard, { id: 4_711, content: "khong co ma", transferAmount: 70_000 })
    const list = async () => (await operator.get(`${api}/operator/transfers`)).body.transfers
    const { id } = (await list()).find(({ memo }: { memo: string }) => memo === "khong co ma")
    const assignment = { account: "khach_hang@example.com", reason: "đã hỏi ngân hàng" }
    await operator.post(`${api}/operator/transfers/${id}/assign`, assignment)
    const assigned = (await list()).find((transfer: { id: string }) => transfer.id === id)
    assert.deepInclude(assigned, { email: "khach_hang@example.com", assigned_by: "op@example.com" })
  })

  it("reads money in the audit log as dong, however it was written down", async () => {
    const { entries } = (await operator.get(`${api}/operator/audit?subject=sepay:4711`)).body
    assert.deepStrictEqual(
      entries.map(({ detail }: { detail: unknown }) => detail),
      [{ account_id: accountId, reason: "đã hỏi ngân hàng", amount_vnd: "70000" }]
    )
  })

  it("switches maintenance, and sees that it is on", async () => {
    const state = async () => (await operator.get(`${api}/operator/service`)).body.maintenance
    await operator.post(`${api}/operator/maintenance`, { on: true })
    assert.isTrue(await state())
    await operator.post(`${api}/operator/maintenance`, { on: false })
    assert.isFalse(await state())
  })

  it("sees load as the running process tells it", async () => {
    const answer = await operator.get(`${api}/operator/service`)
    assert.deepInclude(answer.body.live, { open_calls: 3, held_vnd: "1.5", calls_per_minute: 42 })
  })

  it("can not change what was written down", async () => {
    const refused = await dashboard.sql`delete from audit_log`.catch((error: unknown) => String(error))
    assert.include(refused, "append-only")
  })
})
