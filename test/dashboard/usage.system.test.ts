import { assert, describe, it } from "@effect/vitest"
import { connect } from "node:net"
import { afterAll, beforeAll } from "vitest"
import { formatVnd } from "../../src/domain/money.ts"
import { startOfDay } from "../../src/domain/vietnam-days.ts"
import { dateTopUps, sampleCall, writeCalls } from "../browser/sample-data.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpPerson, tellTransfer, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"
const hourMs = 3_600_000
const count = 6_000

let dashboard: TestDashboard
let person: TestPerson
let keyIds: ReadonlyArray<string>
const nowMs = Math.floor(Date.now() / hourMs) * hourMs
/** Spread over ten days, oldest first. */
const calls = Array.from({ length: count }, (_, index) => ({
  index,
  atMs: nowMs - (count - index) * 144_000
}))
let records: ReadonlyArray<ReturnType<typeof sampleCall>>

beforeAll(async () => {
  dashboard = await startTestDashboard()
  person = await signUpPerson(dashboard, "su-dung@example.com")
  const accountId = await accountOf(person)
  const created = await Promise.all(
    ["=1+1", 'Tên "lạ", <b>đậm</b>'].map((name) =>
      person.post(`${api}/keys`, { name, rate_limit_per_minute: 0 })
    )
  )
  keyIds = created.map(({ body }) => body.id)
  records = calls.map(({ atMs, index }) => sampleCall(accountId, keyIds[index % 2]!, index, atMs))
  for (let start = 0; start < count; start += 2_000) {
    await writeCalls(dashboard.databaseUrl, records.slice(start, start + 2_000))
  }
})
afterAll(() => dashboard.stop())

const sum = (chosen: typeof records) => chosen.reduce((total, record) => total + record.cost, 0n)
const period = `from=${nowMs - 20 * 24 * hourMs}&to=${nowMs + hourMs}`

describe("usage", () => {
  it("adds up to the last micro-dong, by day, by key and by model alike", async () => {
    const { body } = await person.get(`${api}/usage?${period}`)
    assert.strictEqual(body.total.cost_vnd, formatVnd(sum(records)))
    assert.strictEqual(body.total.calls, count)
    assert.strictEqual(body.total.failed_calls, records.filter(({ status }) => status >= 400).length)
    for (const rows of [body.series, body.by_key, body.by_model]) {
      assert.strictEqual(
        rows.reduce((total: number, row: { calls: number }) => total + row.calls, 0),
        count
      )
    }
    const [first] = body.by_model
    const own = records.filter(({ model }) => model === first.model)
    assert.deepStrictEqual([first.cost_vnd, first.calls], [formatVnd(sum(own)), own.length])
  })

  it("lists the calls of one status, of all keys and of one", async () => {
    const listed = async (query: string) => (await person.get(`${api}/calls?${period}&${query}`)).body.calls
    for (const { keyId, status } of [records[0]!, records.find((record) => record.status >= 400)!]) {
      for (const own of ["", `&key=${keyId}`]) {
        const found = await listed(`status=${status}${own}`)
        assert.isNotEmpty(found)
        assert.isTrue(found.every((call: { status: number }) => call.status === status))
      }
    }
    assert.strictEqual((await person.get(`${api}/calls?status=99`)).status, 400)
  })

  it("tells what lies ahead: how long the balance lasts at the week's pace, and each of the last days", async () => {
    const { body } = await person.get(`${api}/overview/outlook`)
    assert.strictEqual(body.held_vnd, "0", "no node serves here")
    assert.strictEqual(body.days_left, null, "nothing is left")
    const days = (await person.get(`${api}/usage?${period}`)).body.series
    assert.deepStrictEqual(body.days, days.slice(-body.days.length))
    const refused = records.filter(({ atMs, status }) => status === 402 && atMs > Date.now() - 24 * hourMs)
    assert.strictEqual(body.refused?.calls ?? 0, refused.length)
  })

  it("tells that a budget has refused calls, also where it has begun anew since", async () => {
    const other = await signUpPerson(dashboard, "hom-qua@example.com")
    const accountId = await accountOf(other)
    const { code } = (await other.post(`${api}/top-ups`, { amount: 150_000 })).body
    await tellTransfer(dashboard, { id: "hom-qua", content: code, transferAmount: 150_000 })
    const settings = { name: "bot", rate_limit_per_minute: 0, budget_vnd: "100000", budget_period: "day" }
    const key = (await other.post(`${api}/keys`, settings)).body
    const atMs = startOfDay(Date.now()) - 1
    const spent = { ...sampleCall(accountId, key.id, 1, atMs), cost: 99_000_000_000n }
    const refused = { ...sampleCall(accountId, key.id, 2, atMs), cost: 0n, status: 402 }
    await dateTopUps(dashboard.databaseUrl, atMs - 60_000)
    await writeCalls(dashboard.databaseUrl, [spent, refused])
    const { body } = await other.get(`${api}/overview/outlook`)
    assert.deepStrictEqual(
      body.refused.keys.map(({ calls, reason }: { calls: number; reason: string }) => [calls, reason]),
      [[1, "budget"]]
    )
    await other.post(`${api}/keys/${key.id}/revoke`)
    assert.isNull((await other.get(`${api}/overview/outlook`)).body.refused, "nothing is to be done about it")
  })

  it("tells that the balance has refused calls, also where more has been paid in since", async () => {
    const other = await signUpPerson(dashboard, "nap-sau@example.com")
    const accountId = await accountOf(other)
    const settings = { name: "bot", rate_limit_per_minute: 0, budget_vnd: "100000", budget_period: "total" }
    const key = (await other.post(`${api}/keys`, settings)).body
    const refused = { ...sampleCall(accountId, key.id, 2, Date.now() - 1_000), cost: 0n, status: 402 }
    await writeCalls(dashboard.databaseUrl, [refused])
    const { code } = (await other.post(`${api}/top-ups`, { amount: 150_000 })).body
    await tellTransfer(dashboard, { id: "nap-sau", content: code, transferAmount: 150_000 })
    const { keys } = (await other.get(`${api}/overview/outlook`)).body.refused
    assert.strictEqual(keys[0].reason, "balance")
  })

  it("begins its days at midnight in Viet Nam, and its hours on the hour", async () => {
    const days = (await person.get(`${api}/usage?${period}`)).body.series
    assert.isTrue(days.every(({ start }: { start: number }) => (start + 7 * hourMs) % (24 * hourMs) === 0))
    const day = days[3]
    const within = records.filter(({ atMs }) => atMs >= day.start && atMs < day.start + 24 * hourMs)
    assert.deepStrictEqual([day.calls, day.cost_vnd], [within.length, formatVnd(sum(within))])
    const hours = (await person.get(`${api}/usage?from=${nowMs - 24 * hourMs}&to=${nowMs}&bucket=hour`)).body
      .series
    assert.strictEqual(hours.length, 24)
  })

  it("is narrowed by key and by model", async () => {
    const own = records.filter(({ keyId, model }) => keyId === keyIds[0] && model === "gpt-6.1-sol")
    const { total } = (await person.get(`${api}/usage?${period}&key=${keyIds[0]}&model=gpt-6.1-sol`)).body
    assert.deepStrictEqual([total.calls, total.cost_vnd], [own.length, formatVnd(sum(own))])
  })

  it("is summed from the hours alone, whatever the number of calls", async () => {
    await dashboard.sql`alter table calls rename to calls_away`
    const answer = await person.get(`${api}/usage?${period}`)
    await dashboard.sql`alter table calls_away rename to calls`
    assert.deepStrictEqual([answer.status, answer.body.total.calls], [200, count])
  })

  it("stands on the overview with the same numbers", async () => {
    const overview = (await person.get(`${api}/overview`)).body
    assert.strictEqual(overview.balance_vnd, formatVnd(-sum(records)))
    const midnight = Math.floor((Date.now() + 7 * hourMs) / (24 * hourMs)) * 24 * hourMs - 7 * hourMs
    const today = records.filter(({ atMs }) => atMs >= midnight)
    assert.deepStrictEqual(
      [overview.today.calls, overview.today.spent_vnd],
      [today.length, formatVnd(sum(today))]
    )
    assert.strictEqual(overview.errors.length, 5)
    assert.isTrue(overview.errors.every(({ status }: { status: number }) => status >= 400))
  })
})

describe("the list of calls", () => {
  it("pages through every call once, newest first", async () => {
    const from = nowMs - 12 * hourMs
    const seen: Array<string> = []
    let before: string | null = ""
    while (before !== null) {
      const page: { calls: ReadonlyArray<{ id: string }>; next: string | null } = (
        await person.get(`${api}/calls?from=${from}&to=${nowMs}&before=${encodeURIComponent(before)}`)
      ).body
      seen.push(...page.calls.map(({ id }: { id: string }) => id))
      before = page.next
    }
    const expected = records.filter(({ atMs }) => atMs >= from && atMs < nowMs).toReversed()
    assert.deepStrictEqual(
      seen,
      expected.map(({ callId }) => callId)
    )
  })

  it("finds one by its request id, and failures alone", async () => {
    const wanted = records[777]!
    const one = (await person.get(`${api}/calls?${period}&request_id=${wanted.callId}`)).body.calls
    assert.deepStrictEqual(
      one.map(({ cost_vnd, id }: { cost_vnd: string; id: string }) => [id, cost_vnd]),
      [[wanted.callId, formatVnd(wanted.cost)]]
    )
    const failed = (await person.get(`${api}/calls?${period}&outcome=failed`)).body.calls
    assert.strictEqual(failed.length, 50)
    assert.isTrue(failed.every(({ status }: { status: number }) => status >= 400))
  })
})

describe("the export", () => {
  it("has every call of the period, safe for spreadsheets", async () => {
    const response = await fetch(`${dashboard.url}${api}/usage.csv?${period}`, {
      headers: { cookie: person.cookie }
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.strictEqual(bytes.subarray(0, 3).toString("hex"), "efbbbf")
    assert.match(
      response.headers.get("content-disposition") ?? "",
      /^attachment; filename="tollgate-[\d-]+\.csv"$/
    )
    const lines = bytes.toString("utf8").trimEnd().split("\r\n")
    assert.strictEqual(lines.length, count + 1)
    assert.isTrue(
      lines.slice(1).every((line) => line.includes(",'=1+1,") || line.includes(',"Tên ""lạ"", <b>đậm</b>",'))
    )
    const costs = lines.slice(1).map((line) => line.split(",").at(-3)!)
    assert.deepStrictEqual(
      costs,
      records.map(({ cost }) => formatVnd(cost))
    )
  })

  it("has the calls of the chosen model alone, and is named by the days of Viet Nam that it covers", async () => {
    const from = Date.parse("2026-01-05T00:00:00+07:00")
    const named = await person.get(`${api}/usage.csv?from=${from}&to=${from + 24 * hourMs}`)
    assert.include(named.headers.get("content-disposition") ?? "", "tollgate-2026-01-05-2026-01-05.csv")
    const { text } = await person.get(`${api}/usage.csv?${period}&model=claude-opus-5`)
    const own = records.filter(({ model }) => model === "claude-opus-5")
    assert.strictEqual(text.trimEnd().split("\r\n").length, own.length + 1)
  })

  it("splits cells at semicolons for those whose spreadsheet does, and at nothing else", async () => {
    const of = async (separator: string) =>
      person.get(`${api}/usage.csv?${period}&sep=${encodeURIComponent(separator)}`)
    const lines = (await of(";")).text.trimEnd().split("\r\n")
    assert.strictEqual(lines.length, count + 1)
    assert.isTrue(lines.every((line) => line.split(";").length === 16))
    assert.strictEqual((await of(",")).text, (await person.get(`${api}/usage.csv?${period}`)).text)
    assert.strictEqual((await of("|")).status, 400)
  })

  it("stops reading the database while its reader does not read, and for good when the reader leaves", async () => {
    const { hostname, port } = new URL(dashboard.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET ${api}/usage.csv?${period} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncookie: ${person.cookie}\r\n\r\n`
    )
    await new Promise((resolve) => socket.once("readable", resolve))
    socket.destroy()
    // Two at once are allowed: a leaver who was not noticed would block the others for ever.
    for (let index = 0; index < 4; index++) {
      assert.strictEqual((await person.get(`${api}/usage.csv?${period}`)).status, 200)
    }
  })
})

describe("calls that are no longer kept one by one", () => {
  const before = new Date(nowMs - 5 * 24 * hourMs)

  it("count in the sums, and the page and the export say how many are missing", async () => {
    await dashboard.sql`
      update call_months set closed_at = now(), dropped_at = now(), ends_at = ${before}
      where starts_at = (select min(starts_at) from call_months)`
    const missing = records.filter(({ atMs }) => atMs < before.getTime()).length
    const { body } = await person.get(`${api}/usage?${period}`)
    assert.strictEqual(body.total.calls, count)
    assert.deepStrictEqual(body.dropped, { before: before.getTime(), calls: missing })
    const { headers } = await person.get(`${api}/usage.csv?${period}`)
    assert.strictEqual(headers.get("x-tollgate-calls-not-kept"), `${missing}; before=${before.toISOString()}`)
    const day = new Date(before.getTime() + 7 * hourMs).toISOString().slice(0, 10)
    assert.include(headers.get("content-disposition") ?? "", `tollgate-${day}-`)
  })

  it("are none in a period after that", async () => {
    const recent = `from=${before.getTime()}&to=${nowMs + hourMs}`
    assert.isNull((await person.get(`${api}/usage?${recent}`)).body.dropped)
    assert.isNull((await person.get(`${api}/usage.csv?${recent}`)).headers.get("x-tollgate-calls-not-kept"))
  })
})
