/** A stand-in for payOS: takes payment requests, and tells of them as it would. */
import { createServer, type IncomingMessage } from "node:http"
import { signatureOf } from "../../src/accounts/banks/payos.ts"
import { listen } from "../listen.ts"
import { noBank } from "./start-dashboard.ts"

type Fields = Readonly<Record<string, unknown>>

/** A webhook of these fields, signed. */
export const payosBody = (data: Fields, checksumKey: string): string =>
  JSON.stringify({
    code: "00",
    desc: "success",
    success: true,
    data,
    signature: signatureOf(data, checksumKey)
  })

/** Of whoever it serves. */
export const payosEnvironment = (checksumKey: string) => ({
  ...noBank,
  PAYOS_CLIENT_ID: "client",
  PAYOS_API_KEY: "key",
  PAYOS_CHECKSUM_KEY: checksumKey
})

export interface PayosStub {
  readonly url: string
  /** What it was asked to take, newest last. */
  readonly asked: Array<Fields & { readonly orderCode: number; readonly amount: number }>
  /** Payments by the number of their request. */
  readonly payments: Map<number, ReadonlyArray<Fields>>
  /** How it answers the next requests to take a payment: as it should, with a refusal, or not, having taken it all the same. */
  mood: "well" | "refusing" | "losing"
  /** Whom it serves: each knows its own requests alone. */
  clientId: string
  readonly close: () => void
}

export const startPayos = async (checksumKey: string): Promise<PayosStub> => {
  const stub: Omit<PayosStub, "url" | "close"> = {
    asked: [],
    payments: new Map(),
    mood: "well",
    clientId: "client"
  }
  const owners = new Map<number, string>()
  const answer = (data: Fields | undefined) =>
    JSON.stringify(
      data === undefined
        ? { code: "101", desc: "not found" }
        : { code: "00", desc: "success", data, signature: signatureOf(data, checksumKey) }
    )
  const server = createServer(async (request, response) => {
    if (request.headers["x-client-id"] !== stub.clientId || request.headers["x-api-key"] !== "key")
      return void response.writeHead(401).end("{}")
    if (request.method === "POST") {
      const asked = JSON.parse(await readBody(request)) as PayosStub["asked"][number]
      if (stub.mood === "refusing") return void response.end(answer(undefined))
      owners.set(asked.orderCode, stub.clientId)
      stub.asked.push(asked)
      if (stub.mood === "losing") return void response.destroy()
      return void response.end(answer(taken(asked)))
    }
    const number = Number(request.url?.split("/").at(-1))
    const isOwn = owners.get(number) === stub.clientId
    const asked = stub.asked.find(({ orderCode }) => isOwn && orderCode === number)
    response.end(answer(asked && linkOf(asked, stub.payments.get(number) ?? [])))
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  return Object.assign(stub, {
    url,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  })
}

const taken = ({ amount, description, orderCode }: PayosStub["asked"][number]): Fields => ({
  bin: "970422",
  accountNumber: "VQRQ0001",
  accountName: "CONG TY TOLLGATE",
  amount,
  description: `CS1 ${String(description)}`,
  orderCode,
  currency: "VND",
  paymentLinkId: "link",
  status: "PENDING",
  checkoutUrl: "https://pay.payos.vn/web/link",
  qrCode: `00020101021238570010A000000727${orderCode}`
})

const linkOf = (asked: PayosStub["asked"][number], transactions: ReadonlyArray<Fields>): Fields => ({
  id: "link",
  orderCode: asked.orderCode,
  amount: asked.amount,
  status: transactions.length === 0 ? "PENDING" : "PAID",
  createdAt: "2026-11-20T09:00:00+07:00",
  transactions,
  canceledAt: null,
  cancellationReason: null
})

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString("utf8")
}
