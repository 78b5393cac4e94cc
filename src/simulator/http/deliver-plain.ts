/** Sends a whole body, or what the settings leave of it, without holding more than the reader has room for. */
import type { LocalExchange } from "../../sockets/LocalExchange.ts"
import type { Settings } from "../settings.ts"
import { type PlainAnswer, toBuffer } from "./Answer.ts"

/** Bodies up to this size fit into the connection's own buffer. */
const smallBytesMax = 64 * 1024

/** `sent` hears of bytes as they go, `done` of the end. Gives back what stops it. */
export const deliverPlain = (
  exchange: LocalExchange,
  answer: PlainAnswer,
  settings: Settings,
  sent: (bytes: number) => void,
  done: () => void
): (() => void) => {
  const faulty = answer.status === 200 ? withFault(answer, settings) : answer
  const bytes = toBuffer(faulty.body)
  const breaks = answer.status === 200 ? breakingPoint(bytes.byteLength, settings) : undefined
  if (breaks === undefined && settings.drip === undefined && bytes.byteLength <= smallBytesMax) {
    exchange.cork(() => {
      exchange.begin(faulty.status, faulty.headers)
      sent(bytes.byteLength)
      exchange.end(bytes)
    })
    done()
    return () => {}
  }
  return deliverInParts(exchange, { ...faulty, body: bytes }, settings, breaks, sent, done)
}

const withFault = (answer: PlainAnswer, settings: Settings): PlainAnswer => {
  if (settings.rubbishAfter !== undefined || settings.body === "text")
    return { ...answer, body: "This is not the JSON you are looking for." }
  if (settings.body === "html")
    return {
      ...answer,
      headers: [["content-type", "text/html"], ...answer.headers.filter(([name]) => name !== "content-type")],
      body: "<html><head><title>Gateway</title></head><body><h1>It works!</h1></body></html>"
    }
  if (settings.body === "empty") return { ...answer, body: "" }
  if (settings.endAfter === undefined) return answer
  const bytes = toBuffer(answer.body)
  return { ...answer, body: bytes.subarray(0, bytes.byteLength >> 1) }
}

interface Break {
  readonly at: number
  readonly how: "cut" | "hang"
}

/** Where the body stops although more was announced. */
const breakingPoint = (length: number, { hang, cutAfter, body }: Settings): Break | undefined => {
  if (cutAfter !== undefined || body === "short") return { at: length >> 1, how: "cut" }
  if (hang === "first") return { at: 1, how: "hang" }
  return typeof hang === "number" ? { at: length >> 1, how: "hang" } : undefined
}

const deliverInParts = (
  exchange: LocalExchange,
  answer: PlainAnswer & { readonly body: Buffer },
  { drip }: Settings,
  breaks: Break | undefined,
  sent: (bytes: number) => void,
  done: () => void
): (() => void) => {
  const total = answer.body.byteLength
  const end = breaks?.at ?? total
  const step = drip?.bytes ?? end
  let timer: NodeJS.Timeout | undefined
  let counted = 0
  const run = (): void => {
    clearTimeout(timer)
    if (!exchange.isOpen) return
    const offset = exchange.offset
    const part = answer.body.subarray(offset, Math.min(offset + step, end))
    const roomLeft = exchange.writePart(part, total)
    const now = exchange.isOpen ? exchange.offset : end
    sent(now - counted)
    counted = now
    if (!exchange.isOpen) return done()
    if (now >= end) return void (breaks?.how === "cut" && setImmediate(() => exchange.destroy()))
    if (roomLeft || drip !== undefined) timer = setTimeout(() => exchange.cork(run), drip?.everyMs ?? 0)
  }
  exchange.whenWritable(run)
  exchange.cork(() => {
    exchange.begin(answer.status, answer.headers)
    run()
  })
  return () => clearTimeout(timer)
}
