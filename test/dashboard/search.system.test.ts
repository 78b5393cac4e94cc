/** One search finds a customer by whatever they may be known by. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { keyHint } from "../../src/domain/key-hint.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer, testPassword, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"
const email = "tran_thi-hoa@khach.example"
const company = "Công ty TNHH Đá & Hoa 100%"

let dashboard: TestDashboard
let operator: TestPerson
let accountId: string
let key: { readonly id: string; readonly key: string }
let order: { readonly id: string; readonly code: string }
let callId: string

beforeAll(async () => {
  dashboard = await startTestDashboard()
  operator = await signUpOperator(dashboard, "op@example.com", "Người trực")
  const customer = await signUpPerson(dashboard, email, "Trần Thị Hoa")
  accountId = await accountOf(customer)
  key = (await customer.post(`${api}/keys`, { name: "Laptop", rate_limit_per_minute: 0 })).body
  order = (await customer.post(`${api}/top-ups`, { amount: 50_000 })).body
  await customer.post(`${api}/billing`, { company, tax_code: "0101234567", address: "Huế", email: "" })
  const call = sampleCall(accountId, key.id, 1, Date.now() - 86_400_000)
  callId = call.callId
  await writeCalls(dashboard.databaseUrl, [call])
  await tellTransfer(dashboard, { id: 77_001, content: `${order.code} cam on`, transferAmount: 50_000 })
  await tellTransfer(dashboard, { id: 77_002, content: "Tiền của ai đấy", transferAmount: 60_000 })
})
afterAll(() => dashboard.stop())

interface Hit {
  readonly kind: string
  readonly id: string
  readonly label: string
  readonly account: { readonly id: string; readonly email: string } | null
  readonly order: { readonly status: string; readonly amount_vnd: string } | null
}

const find = async (q: string): Promise<ReadonlyArray<Hit>> => {
  const answer = await operator.get(`${api}/operator/search?q=${encodeURIComponent(q)}`)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.body.hits
}
const rotate = async (customer: TestPerson, id: string): Promise<string> => {
  const { body } = await customer.post(`${api}/keys/${id}/rotate`, {
    overlap_days: 0,
    password: testPassword
  })
  return body.key
}
const kinds = (hits: ReadonlyArray<Hit>) => hits.map(({ kind }) => kind)

describe("the search", () => {
  const cases: ReadonlyArray<readonly [string, string, () => string]> = [
    ["a part of the mail address", "account", () => "THI-hoa@"],
    ["the account's id", "account", () => accountId],
    ["a part of the name", "person", () => "Thị Hoa"],
    ["a part of the name without accents", "person", () => "tran thi h"],
    ["the key's id", "key", () => key.id],
    ["the end of the key", "key", () => key.key.slice(-4)],
    ["the key's hint", "key", () => `${key.key.slice(0, 10)}…${key.key.slice(-4)}`],
    ["the key's hint, typed with dots", "key", () => `${key.key.slice(0, 10)}...${key.key.slice(-4)}`],
    ["the whole key that leaked", "key", () => key.key],
    ["the request id of a call", "call", () => callId],
    ["an order's code in small letters", "order", () => order.code.toLowerCase()],
    ["an order's id", "order", () => order.id],
    ["the tax code", "billing", () => "0101234567"],
    ["a part of the company, taken literally", "billing", () => "hoa 100%"],
    ["a part of the company without accents", "billing", () => "CONG TY TNHH"],
    ["a part of the company without accents that is not of words alone", "billing", () => "tnhh da & hoa 1"],
    ["a part of the company in large letters that is not of words alone", "billing", () => "ĐÁ & HOA"],
    ["a name whose accents are characters of their own", "person", () => "Trần Thị".normalize("NFD")],
    ["what was copied with characters that nobody sees", "account", () => `\u200b${email}\u00a0\u200b`],
    ["the tax code as it was copied", "billing", () => "0101234567\u00a0\u200b"]
  ]
  it.each(cases)("finds the customer by %s", async (_, kind, text) => {
    const hits = await find(text())
    const found = hits.find((hit) => hit.kind === kind)
    assert.deepStrictEqual(found?.account, { id: accountId, email })
  })

  it("finds a key by what its former secrets are told by, each beside the present one", async () => {
    const customer = await signUpPerson(dashboard, "xoay@khach.example")
    const first = (await customer.post(`${api}/keys`, { name: "Server", rate_limit_per_minute: 0 })).body
    const [second, third] = [await rotate(customer, first.id), await rotate(customer, first.id)]
    const label = keyHint(third)
    for (const [text, shown] of [
      [first.key, `${keyHint(first.key)} → ${label}`],
      [second.slice(-4), `${keyHint(second)} → ${label}`],
      [third, label],
      [first.id, label]
    ] as const)
      assert.deepStrictEqual(
        (await find(text)).filter(({ id }) => id === first.id).map((hit) => [hit.kind, hit.label]),
        [["key", `Server ${shown}`]]
      )
    assert.deepStrictEqual(await find(`${first.key.slice(-4)} ${second.slice(0, 5)}`), [])
  })

  it("keeps of a key's former secrets the hints of the latest hundred", async () => {
    const customer = await signUpPerson(dashboard, "xoay-mai@khach.example")
    const { id } = (await customer.post(`${api}/keys`, { name: "Máy", rate_limit_per_minute: 0 })).body
    const hints = Array.from({ length: 101 }, (_, n) => keyHint(`sk-tg-${String(n).padStart(20, "0")}`))
    await dashboard.sql`update keys set hint = ${hints.pop()!}, former_hints = ${hints.join(" ")} where id = ${id}`
    await rotate(customer, id)
    const found = async (hint: string) => (await find(hint)).some((hit) => hit.id === id)
    assert.deepStrictEqual([await found(hints[0]!), await found(hints[1]!)], [false, true])
  })

  it("finds a transfer by its memo and by the bank's id, also one that is nobody's", async () => {
    assert.deepInclude(await find(order.code).then(([, transfer]) => transfer), { kind: "transfer" })
    for (const text of ["cua ai", "Của ai", "tien cua", "77002"]) {
      const [hit, ...more] = await find(text)
      assert.deepStrictEqual([hit?.kind, hit?.account, more.length], ["transfer", null, 0])
    }
  })

  it("finds a transfer by the reference that the banks know it by, as the customer reads it to us", async () => {
    await dashboard.sql`
      update bank_transfers set bank_reference = 'FT26334000002' where provider_transfer_id = '77002'`
    const [hit, ...more] = await find("FT26334000002")
    assert.deepStrictEqual([hit?.kind, hit?.label, more.length], ["transfer", "Tiền của ai đấy", 0])
    const listed = await operator.get(`${api}/operator/transfers?id=${hit!.id}`)
    assert.deepStrictEqual(
      listed.body.transfers.map((each: Record<string, unknown>) => [each["id"], each["bank_reference"]]),
      [[hit!.id, "FT26334000002"]]
    )
  })

  it("finds a transfer by the reference that SePay tells, in small letters too", async () => {
    const referenceCode = "FT26334000003\\BNK"
    await tellTransfer(dashboard, { id: 77_003, content: "Gui tien", transferAmount: 70_000, referenceCode })
    for (const text of [referenceCode, referenceCode.toLowerCase()]) {
      const [hit, ...more] = await find(text)
      assert.deepStrictEqual([hit?.kind, hit?.label, more.length], ["transfer", "Gui tien", 0])
      const [listed] = (await operator.get(`${api}/operator/transfers?id=${hit!.id}`)).body.transfers
      assert.deepStrictEqual([listed.bank_reference, listed.shown_reference], ["", referenceCode])
    }
  })

  it("tells of an order how much it is and whether it has come", async () => {
    const customer = await signUpPerson(dashboard, "cho@khach.example")
    const open = (await customer.post(`${api}/top-ups`, { amount: 300_000 })).body
    const told = async (code: string) => (await find(code)).find(({ kind }) => kind === "order")?.order
    assert.deepStrictEqual(await told(open.code), { status: "pending", amount_vnd: "300000" })
    assert.deepStrictEqual(await told(order.code), { status: "paid", amount_vnd: "50000" })
    await dashboard.sql`update top_up_orders set expires_at = now() - interval '1 minute' where code = ${open.code}`
    assert.deepStrictEqual(await told(open.code), { status: "expired", amount_vnd: "300000" })
  })

  it("takes no character for a wildcard, and finds nothing where there is nothing", async () => {
    for (const text of [
      "tran%hoa",
      "tran.thi",
      "cong-ty",
      "da % hoa",
      "khach_example",
      "req_00000000000000000000aa",
      "\\\\\\"
    ])
      assert.deepStrictEqual(await find(text), [], text)
  })

  it("looks for nothing that is shorter than three characters", async () => {
    for (const q of ["", "ab", "  ab "]) {
      const answer = await operator.get(`${api}/operator/search?q=${encodeURIComponent(q)}`)
      assert.strictEqual(answer.status, 400)
    }
  })

  it("tells no more than ten of a kind, the newest first", async () => {
    await dashboard.sql`
      insert into accounts (id, email, created_at) select 'acc_many_' || n, 'many-' || n || '@example.com', now() + n * interval '1 hour'
      from generate_series(1, 30) as n`
    const hits = await find("many-")
    assert.strictEqual(kinds(hits).join(), Array.from({ length: 10 }, () => "account").join())
    assert.strictEqual(hits[0]?.label, "many-30@example.com")
  })

  it("finds the same where there are no trigrams", async () => {
    await dashboard.sql`drop extension pg_trgm cascade`
    assert.sameMembers(kinds(await find("hoa")), ["account", "person", "billing"])
    assert.sameMembers(kinds(await find("cong ty")), ["billing"])
  })
})
