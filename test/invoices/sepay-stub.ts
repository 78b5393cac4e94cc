/** SePay eInvoice as its documentation has it, over HTTP, with the faults that a test wants. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { EinvoiceSettings } from "../../src/config/settings.ts"
import { listen } from "../listen.ts"

export interface SepayStub {
  readonly url: string
  /** Invoices that were asked for, by our reference. */
  readonly created: ReadonlyMap<string, Readonly<Record<string, never>>>
  /** All creations that were heard, repeated ones too. */
  readonly creations: () => number
  readonly tokens: () => number
  /** Invoices are known by its own references alone, as its present documentation has it. */
  givesReferences: boolean
  /** What the next creation comes to. */
  readonly next: (
    fault:
      | "lose the answer"
      | "lose the request"
      | "forget the code"
      | "forget all of it"
      | "fail"
      | "refuse"
      | "expire the token"
  ) => void
  readonly stop: () => void
}

/** Settings by which it issues invoices. */
export const einvoiceAt = (baseUrl: string): EinvoiceSettings => ({
  baseUrl,
  clientId: "id",
  clientSecret: "secret",
  providerAccountId: "0aea3134-da40-11f0-aef4-52c7e9b4f41b",
  templateCode: "1",
  series: "C26TTG",
  taxRate: 10,
  item: "Dịch vụ API"
})

type Writable = { -readonly [Name in keyof SepayStub]: SepayStub[Name] }

export const startSepayStub = async (): Promise<SepayStub> => {
  const created = new Map<string, Record<string, never>>()
  const checks = new Map<string, number>()
  let fault: string | undefined
  let creations = 0
  let tokens = 0
  const taken = new Set<string>()
  const invoiceOf = (reference: string) => ({
    reference_code: stub.givesReferences ? `t-${reference}` : reference,
    notes: created.get(reference)!["notes"],
    invoice_number: String(100 + [...created.keys()].indexOf(reference)),
    issued_date: "2026-11-22",
    pdf_url: `https://invoices.example/${reference}.pdf`,
    xml_url: null,
    status: "issued"
  })
  const answer = (response: ServerResponse, status: number, data: unknown, message?: string) =>
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify({ success: status < 300, data, ...(message !== undefined && { message }) }))
  const create = (body: Record<string, never>, response: ServerResponse) => {
    creations += 1
    const now = fault
    fault = undefined
    const reference = String(body["reference_code"])
    if (now === "lose the request") return response.destroy()
    if (now === "expire the token") {
      taken.clear()
      return answer(response, 401, undefined, "expired")
    }
    if (now === "refuse") return answer(response, 422, undefined, "Ký hiệu hóa đơn không đúng")
    if (created.has(reference)) return answer(response, 409, undefined, "reference_code exists")
    if (now !== "forget all of it") created.set(reference, body)
    if (now === "forget the code" || now === "forget all of it") checks.set(reference, -2)
    if (now === "lose the answer") return response.destroy()
    if (now === "fail") checks.set(reference, -1)
    answer(response, 200, { tracking_code: `t-${reference}`, tracking_url: "" })
  }
  const handle = (request: IncomingMessage, text: string, response: ServerResponse): unknown => {
    const { method, url = "" } = request
    if (url === "/v1/token") {
      taken.add(`Bearer token-${++tokens}`)
      const isRight = request.headers.authorization === `Basic ${Buffer.from("id:secret").toString("base64")}`
      return isRight
        ? answer(response, 200, { access_token: `token-${tokens}`, token_type: "Bearer", expires_in: 86400 })
        : answer(response, 401, undefined)
    }
    if (!taken.has(request.headers.authorization ?? "")) return answer(response, 401, undefined)
    if (method === "POST" && url === "/v1/invoices/create") return create(JSON.parse(text), response)
    const check = /^\/v1\/invoices\/create\/check\/t-(.+)$/.exec(url)?.[1]
    if (check !== undefined) {
      const asked = checks.get(check) ?? 0
      if (asked === -2) return answer(response, 404, undefined, "not found")
      if (asked === -1) return answer(response, 200, { status: "Failed", message: "Chữ ký số hết hạn" })
      checks.set(check, asked + 1)
      if (asked === 0) return answer(response, 200, { status: "Pending" })
      return answer(response, 200, { status: "Success", invoice: invoiceOf(check) })
    }
    const page = Number(/^\/v1\/invoices\?page=(\d+)&per_page=100$/.exec(url)?.[1] ?? 0)
    if (page > 0) {
      // Two to a page, the oldest first.
      const items = [...created.keys()].slice(2 * page - 2, 2 * page).map(invoiceOf)
      return answer(response, 200, { items, paging: { has_more: created.size > 2 * page } })
    }
    const reference = /^\/v1\/invoices\/([^/]+)$/.exec(url)?.[1] ?? ""
    return created.has(reference) && !stub.givesReferences
      ? answer(response, 200, invoiceOf(reference))
      : answer(response, 404, undefined, "not found")
  }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => void chunks.push(chunk))
    request.on("end", () => handle(request, Buffer.concat(chunks).toString(), response))
  })
  const stub: Writable = {
    url: "",
    created,
    givesReferences: false,
    creations: () => creations,
    tokens: () => tokens,
    next: (next) => {
      fault = next
    },
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
  stub.url = `http://127.0.0.1:${await listen(server)}`
  return stub
}
