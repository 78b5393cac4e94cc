/**
 * SePay eInvoice, version 1, as https://developer.sepay.vn/vi/einvoice-api/v1 has it. Invoices are issued at once, never as
 * drafts. Some pages of it take a reference of the caller's, others name none and give their own: ours is sent, and written
 * into the notes too, which are told again.
 */
import { type Agent, fetch, type Response } from "undici"
import type { EinvoiceSettings } from "../config/settings.ts"
import { isJsonRecord, type JsonRecord, textOf } from "../domain/json-record.ts"
import { vietnamText } from "../domain/vietnam-days.ts"
import type { InvoiceAnswer, InvoiceDraft, InvoiceProvider } from "./InvoiceProvider.ts"

const answerMsMax = 20_000
/** A page of its list has some hundred kilobytes. */
const answerBytesMax = 4 * 1_048_576
/** So many invoices are looked through for one: what is behind them is for an operator to look at. */
const pagesMax = 50
const perPage = 100
const wordsMax = 300
/** Renewed before it ends, and where it is not taken. */
const tokenSpareMs = 10 * 60_000

/** An HTTP answer, or why there is none; `isSent`: it may have been heard. */
type Heard =
  | { readonly _tag: "Answer"; readonly status: number; readonly body: JsonRecord }
  | { readonly _tag: "NoAnswer"; readonly status: 0; readonly isSent: boolean; readonly problem: string }

export const sepayEinvoice = "sepay"

export class SepayEinvoice implements InvoiceProvider {
  readonly name = sepayEinvoice
  readonly #settings: EinvoiceSettings
  readonly #agent: Agent
  #token: { readonly text: string; readonly untilMs: number } | undefined

  constructor(settings: EinvoiceSettings, agent: Agent) {
    this.#settings = settings
    this.#agent = agent
  }

  readonly create = async (draft: InvoiceDraft, sentAtMs: number): Promise<InvoiceAnswer> => {
    const heard = await this.#ask("POST", "/v1/invoices/create", this.#payload(draft, sentAtMs))
    if (heard._tag === "NoAnswer") return { _tag: heard.isSent ? "Lost" : "NotSent", problem: heard.problem }
    const { body, status } = heard
    const tracking = textOf(dataOf(body)["tracking_code"])
    if (status < 300 && tracking !== "") return { _tag: "Pending", tracking }
    // It was heard and not taken, or may have been.
    if (status === 401 || status === 429) return { _tag: "NotSent", problem: problemOf(heard) }
    // What is there already has been asked for before.
    return status >= 400 && status < 500 && status !== 409
      ? { _tag: "Refused", problem: problemOf(heard) }
      : { _tag: "Lost", problem: problemOf(heard) }
  }

  readonly check = async (tracking: string): Promise<InvoiceAnswer> => {
    const heard = await this.#ask("GET", `/v1/invoices/create/check/${encodeURIComponent(tracking)}`)
    if (heard.status === 404) return { _tag: "Unknown" }
    if (heard._tag === "NoAnswer" || !tells(heard)) return { _tag: "Lost", problem: problemOf(heard) }
    const data = dataOf(heard.body)
    if (data["status"] === "Failed") return { _tag: "Refused", problem: wordsOf(data) || "failed" }
    return data["status"] === "Success" ? readInvoice(recordOf(data["invoice"]), tracking) : pending(tracking)
  }

  readonly find = async (reference: string): Promise<InvoiceAnswer> => {
    const heard = await this.#ask("GET", `/v1/invoices/${encodeURIComponent(reference)}`)
    if (heard.status === 404) return this.#findByNotes(reference)
    if (heard._tag === "NoAnswer" || !tells(heard)) return { _tag: "Lost", problem: problemOf(heard) }
    return readInvoice(dataOf(heard.body), undefined)
  }

  /** In which order they are listed is not documented. */
  async #findByNotes(reference: string): Promise<InvoiceAnswer> {
    for (let page = 1; page <= pagesMax; page++) {
      const heard = await this.#ask("GET", `/v1/invoices?page=${page}&per_page=${perPage}`)
      if (heard._tag === "NoAnswer" || heard.status !== 200)
        return { _tag: "Lost", problem: problemOf(heard) }
      const { items, paging } = dataOf(heard.body)
      if (!Array.isArray(items)) return { _tag: "Lost", problem: "the list of invoices can not be read" }
      const found = items.map(recordOf).find(({ notes }) => notes === reference)
      if (found !== undefined) return readInvoice(found, undefined)
      if (recordOf(paging)["has_more"] !== true) return { _tag: "Unknown" }
    }
    return { _tag: "Unknown" }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  #payload(
    { address, amountVnd, company, email, reference, taxCode }: InvoiceDraft,
    sentAtMs: number
  ): JsonRecord {
    const { item, providerAccountId, series, taxRate, templateCode } = this.#settings
    return {
      reference_code: reference,
      template_code: templateCode,
      invoice_series: series,
      issued_date: vietnamText(sentAtMs),
      currency: "VND",
      provider_account_id: providerAccountId,
      payment_method: "CK",
      notes: reference,
      buyer: {
        name: company,
        ...(taxCode !== "" && { tax_code: taxCode }),
        ...(address !== "" && { address }),
        ...(email !== "" && { email })
      },
      items: [
        {
          line_number: 1,
          line_type: 1,
          item_name: item,
          quantity: 1,
          unit_price: Number(beforeTax(amountVnd, taxRate ?? 0)),
          ...(taxRate !== undefined && { tax_rate: taxRate })
        }
      ],
      is_draft: false
    }
  }

  async #ask(method: "GET" | "POST", path: string, payload?: JsonRecord): Promise<Heard> {
    const token = await this.#takeToken()
    if (typeof token !== "string") return token
    const heard = await this.#request(method, path, `Bearer ${token}`, payload)
    if (heard.status === 401) this.#token = undefined
    return heard
  }

  async #takeToken(): Promise<string | Heard> {
    if (this.#token !== undefined && this.#token.untilMs > Date.now()) return this.#token.text
    const { clientId, clientSecret } = this.#settings
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64")
    const heard = await this.#request("POST", "/v1/token", `Basic ${basic}`)
    const data = heard._tag === "Answer" && heard.status === 200 ? dataOf(heard.body) : {}
    const text = textOf(data["access_token"])
    // Without one, nothing was asked for.
    if (text === "")
      return { _tag: "NoAnswer", status: 0, isSent: false, problem: `token: ${problemOf(heard)}` }
    const lifeMs = Number(data["expires_in"] ?? 0) * 1_000
    this.#token = { text, untilMs: Date.now() + Math.max(0, lifeMs - tokenSpareMs) }
    return text
  }

  async #request(method: string, path: string, authorization: string, payload?: JsonRecord): Promise<Heard> {
    try {
      const response = await fetch(`${this.#settings.baseUrl}${path}`, {
        method,
        dispatcher: this.#agent,
        redirect: "manual",
        headers: { authorization, "content-type": "application/json" },
        signal: AbortSignal.timeout(answerMsMax),
        ...(payload !== undefined && { body: JSON.stringify(payload) })
      })
      return { _tag: "Answer", status: response.status, body: await readBody(response) }
    } catch (cause) {
      const code = String((cause as { cause?: { code?: unknown } }).cause?.code ?? "no answer")
      return { _tag: "NoAnswer", status: 0, isSent: !neverConnected.has(code), problem: code }
    }
  }
}

/** Codes of failures that come before a connection is there. */
const neverConnected: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT"
])

const pending = (tracking: string | undefined): InvoiceAnswer => ({ _tag: "Pending", tracking })

/** One without a number is not issued yet. */
const readInvoice = (invoice: JsonRecord, tracking: string | undefined): InvoiceAnswer => {
  const number = textOf(invoice["invoice_number"])
  if (invoice["status"] !== "issued" || number === "" || number === "0") return pending(tracking)
  const url = textOf(invoice["pdf_url"])
  return { _tag: "Issued", invoice: { number, url: /^https?:\/\//.test(url) ? url : "" } }
}

/** Two decimals, as the provider has them: with the tax it is the amount again, to the dong. */
export const beforeTax = (amountVnd: bigint, taxRate: number): string => {
  const share = BigInt(100 + Math.max(0, taxRate))
  const hundredths = (amountVnd * 10_000n + share / 2n) / share
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`
}

/** Nothing where it is no JSON, breaks off or is too long. */
const readBody = async ({ body }: Response): Promise<JsonRecord> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length
      if (size > answerBytesMax) return {}
      chunks.push(chunk)
    }
    return recordOf(JSON.parse(new TextDecoder().decode(Buffer.concat(chunks))))
  } catch {
    return {}
  }
}

/** Whether it says something of an invoice: a page of a proxy, or an error, says nothing, not that it is in progress. */
const tells = ({ body, status }: Heard & { readonly _tag: "Answer" }): boolean =>
  status === 200 && body["success"] !== false && isJsonRecord(body["data"])

const problemOf = (heard: Heard): string => {
  if (heard._tag === "NoAnswer") return heard.problem
  const words = wordsOf(heard.body) || (heard.status < 300 ? "that can not be read" : "")
  return `${heard.status} ${words}`.trim()
}

const wordsOf = ({ error, message }: JsonRecord): string =>
  (textOf(message) || textOf(recordOf(error)["message"])).slice(0, wordsMax)

const recordOf = (value: unknown): JsonRecord => (isJsonRecord(value) ? value : {})
const dataOf = (body: JsonRecord): JsonRecord => recordOf(body["data"])
