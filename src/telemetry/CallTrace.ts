/** The place of one call in a trace: its own span, and one for each time it was tried upstream (W3C trace context). */
import { randomBytes } from "node:crypto"

const version00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const noTrace = "0".repeat(32)
const noSpan = "0".repeat(16)

export interface AttemptSpan {
  readonly spanId: string
  readonly startedMs: number
  /** Of the provider that was asked. */
  readonly baseUrl: string
}

export class CallTrace {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attempts: Array<AttemptSpan> = []

  constructor(traceId: string, parentSpanId: string | undefined) {
    this.traceId = traceId
    this.parentSpanId = parentSpanId
    this.spanId = newId(8)
  }

  /** Opens the span of an attempt; answers the header that makes what the provider traces its children. */
  attempt(nowMs: number, baseUrl: string): string {
    const spanId = newId(8)
    this.attempts.push({ spanId, startedMs: nowMs, baseUrl })
    return `00-${this.traceId}-${spanId}-01`
  }
}

/** Goes on with the caller's trace, or begins one; `undefined` where the caller says that nobody records its trace. */
export const beginTrace = (traceParent: string): CallTrace | undefined => {
  const [, traceId, parentSpanId, flags] = version00.exec(traceParent) ?? []
  if (traceId === undefined || traceId === noTrace || parentSpanId === noSpan || flags === undefined) {
    return new CallTrace(newId(16), undefined)
  }
  return (Number.parseInt(flags, 16) & 1) === 1 ? new CallTrace(traceId, parentSpanId) : undefined
}

const newId = (bytes: number): string => randomBytes(bytes).toString("hex")
