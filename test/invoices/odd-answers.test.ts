/** What is made of answers that are none: nothing is issued, refused or in progress by them. */
import { assert, describe, it } from "@effect/vitest"
import { createServer, type ServerResponse } from "node:http"
import { Agent } from "undici"
import { afterAll, beforeAll } from "vitest"
import { SepayEinvoice } from "../../src/invoices/sepay-einvoice.ts"
import { listen } from "../listen.ts"
import { einvoiceAt } from "./sepay-stub.ts"

type Answer = (response: ServerResponse) => void

const reference = "0aea3134-da40-11f0-aef4-52c7e9b4f41b"
const draft = {
  reference,
  amountVnd: 50_000n,
  company: "A & B <C>",
  taxCode: "",
  address: "",
  email: ""
}

const json =
  (status: number, body: unknown): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
const text =
  (status: number, body: string | Buffer, headers = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body)

let answer: Answer
let pages = 0
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    if (request.url === "/v1/token")
      return json(200, { data: { access_token: "token", expires_in: "86400" } })(response)
    if (request.url?.includes("page=")) pages += 1
    return answer(response)
  })
})
let provider: SepayEinvoice
beforeAll(async () => {
  provider = new SepayEinvoice(einvoiceAt(`http://127.0.0.1:${await listen(server)}`), new Agent())
})
afterAll(async () => {
  await provider.close()
  server.close()
  server.closeAllConnections()
})

const cutOff: Answer = (response) => {
  response.writeHead(200, { "content-length": "500" }).write('{"success":true,"data":{"status":')
  setTimeout(() => response.destroy(), 20)
}

let sent = 0
const endless: Answer = (response) => {
  const chunk = Buffer.alloc(1_048_576, " ")
  const write = () => {
    if (response.destroyed || (sent += chunk.length) > 200 * chunk.length) response.end("{}")
    else response.write(chunk, write)
  }
  response.writeHead(200)
  write()
}

const failure = { success: false, error: { code: "SYSTEM", message: "Lỗi hệ thống" } }
const unread = "200 that can not be read"
const inUtf16 = Buffer.from(JSON.stringify({ success: true, data: { tracking_code: "t" } }), "utf16le")

describe("an answer that says nothing of an invoice", () => {
  it.each<readonly [string, Answer, string]>([
    ["an error with the status of a success", json(200, failure), "200 Lỗi hệ thống"],
    ["nothing", text(200, ""), unread],
    ["a proxy's page", text(200, "<html>Bảo trì</html>", { "content-type": "text/html" }), unread],
    ["a proxy's failure", text(502, "<html>Bad Gateway</html>"), "502"],
    ["a redirect", text(302, "", { location: "http://127.0.0.1:1/" }), "302"],
    ["another charset", text(200, inUtf16, { "content-type": "application/json; charset=utf-16" }), unread],
    ["a list", json(200, { success: true, data: [] }), unread],
    ["one that breaks off", cutOff, unread]
  ])("leaves open what has become of it (%s)", async (_, given, problem) => {
    answer = given
    const lost = { _tag: "Lost", problem }
    assert.deepStrictEqual(
      [await provider.create(draft, 0), await provider.check("t"), await provider.find(reference)],
      [lost, lost, lost]
    )
  })

  it("is not read on and on", async () => {
    answer = endless
    assert.deepStrictEqual(await provider.check("t"), { _tag: "Lost", problem: unread })
    assert.isBelow(sent, 100 * 1_048_576)
  })
})

describe("an answer", () => {
  it("of a failure has the provider's words, wherever they stand, and no more than operators can read", async () => {
    answer = json(200, { success: true, data: { status: "Failed", error: { message: "x".repeat(5_000) } } })
    assert.deepStrictEqual(await provider.check("t"), { _tag: "Refused", problem: "x".repeat(300) })
  })

  it("may have numbers where texts are meant", async () => {
    const invoice = { status: "issued", invoice_number: 589, pdf_url: null }
    answer = json(200, { success: true, data: { status: "Success", invoice } })
    const issued = { _tag: "Issued", invoice: { number: "589", url: "" } }
    assert.deepStrictEqual(await provider.check("t"), issued as never)
  })

  it("that lists more invoices than are looked through leaves it to an operator to look for one", async () => {
    answer = (response) =>
      pages === 0
        ? json(404, failure)(response)
        : json(200, { success: true, data: { items: [], paging: { has_more: true } } })(response)
    assert.deepStrictEqual(await provider.find(reference), { _tag: "Unknown" })
    assert.strictEqual(pages, 50)
  })
})
