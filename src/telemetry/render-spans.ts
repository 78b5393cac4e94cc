/** Spans as OTLP writes them in JSON. */
import type { TelemetrySettings } from "../config/settings.ts"

export interface FinishedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: "server" | "client"
  readonly startedMs: number
  readonly endedMs: number
  /** What went wrong; `undefined` when nothing did. */
  readonly error: string | undefined
  readonly attributes: Attributes
}

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export const renderSpans = (
  spans: ReadonlyArray<FinishedSpan>,
  { resourceAttributes, serviceName }: Pick<TelemetrySettings, "resourceAttributes" | "serviceName">
) => ({
  resourceSpans: [
    {
      resource: { attributes: renderAttributes({ ...resourceAttributes, "service.name": serviceName }) },
      scopeSpans: [{ scope: { name: "tollgate" }, spans: spans.map(renderSpan) }]
    }
  ]
})

const kinds = { server: 2, client: 3 } as const

const renderSpan = (span: FinishedSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startedMs),
  endTimeUnixNano: nanoseconds(span.endedMs),
  attributes: renderAttributes(span.attributes),
  status: span.error === undefined ? {} : { code: 2, message: span.error }
})

/** 64-bit numbers are texts in JSON. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n)

const renderAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: renderValue(value) }]
  )

const renderValue = (value: string | number | boolean) => {
  if (typeof value === "string") return { stringValue: value }
  if (typeof value === "boolean") return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
