import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:http"
import { onTestFinished } from "vitest"
import { listSepay } from "../../../src/accounts/banks/list-sepay.ts"
import { noProxies } from "../../../src/config/choose-proxy.ts"
import { outwardAgent } from "../../../src/outgoing/connect-outward.ts"
import { vietnamText } from "../../../src/domain/vietnam-days.ts"
import { listen } from "../../listen.ts"

const nowMs = Date.UTC(2026, 10, 20, 7, 0, 0)
const pageSize = 5_000

/** As SePay has them, each so long before the one above it. */
const rowsOf = (count: number, stepMs = 1_000) =>
  Array.from({ length: count }, (_, place) => ({
    id: String(count - place),
    transaction_date: vietnamText(nowMs - place * stepMs),
    account_number: "0123456789",
    amount_in: "20000.00",
    amount_out: "0.00",
    transaction_content: "nap tien"
  }))

type Rows = ReadonlyArray<{ readonly transaction_date: string; readonly account_number: string }>

/** What is listed, page by page, of a SePay that has these. It knows an account by its main number. */
const list = async (rows: Rows) => {
  const server = createServer((request, response) => {
    const asked = new URL(request.url!, "http://localhost").searchParams
    const until = asked.get("transaction_date_max") ?? "9"
    const account = asked.get("account_number")
    const page = rows
      .filter((row) => row.transaction_date <= until && [null, row.account_number].includes(account))
      .slice(0, pageSize)
    response.end(JSON.stringify({ transactions: page }))
  })
  const baseUrl = `http://127.0.0.1:${await listen(server)}`
  const agent = outwardAgent(noProxies)
  onTestFinished(async () => {
    await agent.close()
    server.close()
  })
  const ids = new Set<string>()
  const pages = listSepay({ baseUrl, token: "token", bankAccount: "0123456789" })({
    sql: undefined as never,
    sinceMs: nowMs - 86_400_000,
    nowMs,
    agent,
    signal: new AbortController().signal
  })
  for await (const page of pages) for (const { providerTransferId } of page) ids.add(providerTransferId)
  return ids
}

describe("SePay's list", () => {
  it("is read to its end, also behind a full page with a row that can not be read", async () => {
    const rows = rowsOf(pageSize + 3)
    const unreadable = { ...rows[7]!, amount_in: "0.00" }
    const ids = await list(rows.with(7, unreadable))
    assert.strictEqual(ids.size, rows.length - 1)
    assert.isTrue(ids.has("1"))
  })

  it("is not taken for read where no page leads on", async () => {
    const failure = await list(rowsOf(pageSize + 3, 0)).catch((cause: unknown) => cause)
    assert.match(String(failure), /more transactions than/)
  })

  it("tells of what came into our account where that is a virtual one, and of nothing else", async () => {
    const [first, second] = rowsOf(2)
    const ids = await list([
      { ...first!, account_number: "96247" },
      { ...second!, account_number: "96247", sub_account: "0123456789" }
    ] as Rows)
    assert.deepStrictEqual([...ids], ["1"])
  })
})
