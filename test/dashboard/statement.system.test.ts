import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf, balanceVndOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"
const dayMs = 86_400_000

let dashboard: TestDashboard
let person: TestPerson
let accountId: string
let code: string

beforeAll(async () => {
  dashboard = await startTestDashboard({
    environment: { TOLLGATE_COMPANY: "Công ty Cổng", TOLLGATE_TAX_CODE: "0109999999" }
  })
  person = await signUpPerson(dashboard, "so-giao-dich@example.com")
  accountId = await accountOf(person)
  const key = (await person.post(`${api}/keys`, { name: "a", rate_limit_per_minute: 0 })).body
  code = (await person.post(`${api}/top-ups`, { amount: 5_000_000 })).body.code
  await tellTransfer(dashboard, { id: 1, content: code, transferAmount: 5_000_000 })
  const operator = await signUpOperator(dashboard, "op@example.com")
  const correction = { amount_vnd: "-1000.5", reason: "hoàn tiền nạp nhầm", id: crypto.randomUUID() }
  await operator.post(`${api}/operator/accounts/${accountId}/credit`, correction)
  const calls = Array.from({ length: 300 }, (_, index) =>
    sampleCall(accountId, key.id, index, Date.now() - index * (dayMs / 30))
  )
  await writeCalls(dashboard.databaseUrl, calls)
})
afterAll(() => dashboard.stop())

interface Line {
  readonly kind: string
  readonly day: string
  readonly model: string
  readonly calls: number
  readonly amount_vnd: string
  readonly id: string
}

const statement = async (query = "from=2025-02-01") => (await person.get(`${api}/statement?${query}`)).body

describe("a statement", () => {
  it("ends with the balance of the wallet, and says what each movement was for", async () => {
    const { closing_vnd: closing, lines, next, opening_vnd: opening } = await statement()
    assert.deepStrictEqual([opening, next], ["0", null])
    assert.strictEqual(closing, await balanceVndOf(person))
    const entries = lines.filter(({ kind }: Line) => kind !== "calls")
    assert.deepStrictEqual(
      entries.map((line: Record<string, string>) => [line["kind"], line["amount_vnd"], line["reason"]]),
      [
        ["top_up", "5000000", `top-up ${code}`],
        ["correction", "-1000.5", "hoàn tiền nạp nhầm"]
      ]
    )
  })

  it("opens into the very calls that a line adds up", async () => {
    const { lines } = await statement()
    const line: Line = lines.findLast(({ calls }: Line) => calls > 3)
    const from = Date.parse(`${line.day}T00:00:00+07:00`)
    const query = `from=${from}&to=${from + dayMs}&model=${encodeURIComponent(line.model)}`
    const { total } = (await person.get(`${api}/usage?${query}`)).body
    assert.deepStrictEqual([`-${total.cost_vnd}`, total.calls], [line.amount_vnd, line.calls])
    const { calls } = (await person.get(`${api}/calls?${query}`)).body
    assert.strictEqual(calls.length, line.calls)
  })

  it("comes in pages that go on where the one before ended", async () => {
    const models = Array.from({ length: 250 }, (_, index) => `model-${index}`)
    await writeCalls(
      dashboard.databaseUrl,
      models.map((model) => ({ ...sampleCall(accountId, "key_x", 1, Date.UTC(2025, 0, 15)), model }))
    )
    const first = await statement("from=2025-01-01&to=2025-01-31")
    const second = await statement(`from=2025-01-01&to=2025-01-31&after=${encodeURIComponent(first.next)}`)
    assert.deepStrictEqual([first.lines.length, second.lines.length, second.next], [200, 50, null])
    assert.deepStrictEqual(
      new Set([...first.lines, ...second.lines].map(({ model }: Line) => model)),
      new Set(models)
    )
    assert.strictEqual(second.lines.at(-1).balance_vnd, second.closing_vnd)
    const { text } = await person.get(`${api}/statement.csv?from=2025-01-01&to=2025-01-31`)
    assert.strictEqual(text.split("\r\n").length, 1 + 1 + 250 + 1 + 1)
  })

  it.each([
    "from=abc",
    "from=2026-02-30",
    "from=2026-11-02&to=2026-11-01",
    "from=2026-11-02T00:00:00Z",
    "from=2999-01-01",
    "after=x",
    "after=2026-11-02|2x",
    "after=2026-02-30|1x",
    "after=0000-01-01|1x"
  ])("is refused for what is no period or place: %s", async (query) => {
    assert.strictEqual((await person.get(`${api}/statement?${query}`)).status, 400)
  })

  it("says of a day that is none what may stand there: no moment", async () => {
    for (const path of ["statement", "statement.csv"]) {
      const { body } = await person.get(`${api}/${path}?from=2026-11-01&to=2026-02-30`)
      assert.strictEqual(body.error.message, "to must be a day such as 2026-11-30")
    }
  })
})

describe("a receipt", () => {
  it("is there for each top-up and for nothing else", async () => {
    const { lines } = await statement()
    const [topUp, correction] = lines.filter(({ kind }: Line) => kind !== "calls")
    const receipt = (await person.get(`${api}/receipts/${topUp.id}`)).body
    assert.deepStrictEqual(
      [receipt.amount_vnd, receipt.code, receipt.transfer],
      ["5000000", code, "MBVCB.3278907687"]
    )
    await dashboard.sql`update bank_transfers set shown_reference = '' where provider_transfer_id = '1'`
    assert.strictEqual((await person.get(`${api}/receipts/${topUp.id}`)).body.transfer, "1")
    await dashboard.sql`update bank_transfers set bank_reference = 'FT26334000001' where provider_transfer_id = '1'`
    const named = (await person.get(`${api}/receipts/${topUp.id}`)).body
    assert.strictEqual(named.transfer, "FT26334000001")
    for (const id of [correction.id, "999999", "x"]) {
      assert.include([400, 404], (await person.get(`${api}/receipts/${id}`)).status)
    }
  })
})

describe("billing details", () => {
  it("are kept as they were written, beside those of the operator", async () => {
    const details = {
      company: "Công ty Lan",
      tax_code: "0101234567-001",
      address: "1 Lê Lợi",
      email: "a@b.vn"
    }
    await person.post(`${api}/billing`, { ...details, company: " Công ty Lan ", tax_code: "0101234567 -001" })
    const issuer = { company: "Công ty Cổng", tax_code: "0109999999", address: "" }
    assert.deepStrictEqual((await person.get(`${api}/billing`)).body, { issuer, details })
  })

  it.each([
    [{ tax_code: "123" }, "The tax code must have 10 digits, 10 and 3, or 12"],
    [{ tax_code: "0101234567-1" }, "The tax code must have 10 digits, 10 and 3, or 12"],
    [{ company: "a\u202eb" }, "The company must not contain control characters"],
    [{ address: "a".repeat(301) }, "The address must not be longer than 300 characters"],
    [{ email: "a" }, "The email is not an email address"]
  ])("that can not be are refused: %s", async (wrong, message) => {
    const answer = await person.post(`${api}/billing`, {
      company: "",
      tax_code: "",
      address: "",
      email: "",
      ...wrong
    })
    assert.deepStrictEqual([answer.status, answer.body], [400, { error: { code: "invalid", message } }])
  })
})
