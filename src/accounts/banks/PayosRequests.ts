/** Has payOS take the payment of an order, after https://payos.vn/docs/api (payment-requests), and asks what came of it. */
import { createHmac } from "node:crypto"
import { type Agent, fetch } from "undici"
import type { PayosSettings } from "../../config/settings.ts"
import type { PayInstructions } from "../../storage/payments/PaymentRequestStore.ts"
import { isJsonRecord, type JsonRecord, textOf } from "../../domain/json-record.ts"
import { parseJsonRecord } from "./bank-json.ts"
import { isSigned } from "./payos.ts"

export interface PayosAccess extends PayosSettings {
  readonly baseUrl: string
  /** Where customers would come back to from payOS's own page, which we do not show. */
  readonly pageUrl: string
}

/** A person waits for the code. */
const answerMsMax = 10_000

export class PayosRequests {
  readonly access: PayosAccess
  readonly #agent: Agent

  constructor(access: PayosAccess, agent: Agent) {
    this.access = access
    this.#agent = agent
  }

  /** Throws unless payOS says that it takes the payment. `number` must be new: it refuses one that it has. */
  readonly open = async (number: bigint, amountVnd: bigint, memo: string): Promise<PayInstructions> => {
    const [amount, orderCode, url] = [Number(amountVnd), Number(number), this.access.pageUrl]
    const signed = `amount=${amount}&cancelUrl=${url}&description=${memo}&orderCode=${orderCode}&returnUrl=${url}`
    const signature = createHmac("sha256", this.access.checksumKey).update(signed).digest("hex")
    const data = await this.#ask("/v2/payment-requests", {
      method: "POST",
      body: JSON.stringify({
        orderCode,
        amount,
        description: memo,
        cancelUrl: url,
        returnUrl: url,
        signature
      })
    })
    const instructions = {
      bankBin: textOf(data["bin"]),
      account: textOf(data["accountNumber"]),
      accountName: textOf(data["accountName"]),
      memo: textOf(data["description"]),
      qr: textOf(data["qrCode"])
    }
    if (
      data["amount"] !== amount ||
      data["orderCode"] !== orderCode ||
      Object.values(instructions).includes("")
    )
      throw new Error("payOS answered with another payment request than was asked for")
    return instructions
  }

  /** The request as payOS has it, its payments in `transactions`. Throws where it does not answer. */
  readonly read = (number: bigint, signal: AbortSignal): Promise<JsonRecord> =>
    this.#ask(`/v2/payment-requests/${number}`, { method: "GET", signal })

  /** When what is under way has ended. */
  readonly close = (): Promise<void> => this.#agent.close()

  async #ask(
    path: string,
    { body, method, signal }: { method: "GET" | "POST"; body?: string; signal?: AbortSignal }
  ): Promise<JsonRecord> {
    const { apiKey, baseUrl, checksumKey, clientId } = this.access
    const limit = AbortSignal.timeout(answerMsMax)
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      dispatcher: this.#agent,
      headers: { "content-type": "application/json", "x-client-id": clientId, "x-api-key": apiKey },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      ...(body !== undefined && { body })
    })
    const answer = parseJsonRecord(await response.text())
    const data = answer?.["data"]
    if (!response.ok || textOf(answer?.["code"]) !== "00" || !isJsonRecord(data))
      throw new Error(
        `payOS refused with ${response.status}, code ${textOf(answer?.["code"]).slice(0, 20) || "none"}`
      )
    if (!isSigned(data, answer?.["signature"], checksumKey))
      throw new Error("payOS answered without its signature")
    return data
  }
}
