/** A collector of traces for tests: takes OTLP over HTTP in JSON and keeps the spans. */
import { createServer } from "node:http"
import { listen } from "../listen.ts"

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Record<string, unknown> }>
  readonly status: { readonly code?: number; readonly message?: string }
}

interface Export {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: CollectedSpan["attributes"] }
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<CollectedSpan> }>
  }>
}

export const startCollector = async () => {
  const spans: Array<CollectedSpan> = []
  const resources: Array<Record<string, unknown>> = []
  const headers: Array<Record<string, unknown>> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const { resourceSpans } = JSON.parse(body) as Export
      headers.push({ ...request.headers, path: request.url })
      for (const each of resourceSpans) {
        resources.push(attributesOf(each.resource))
        spans.push(...each.scopeSpans.flatMap((scope) => scope.spans))
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
    })
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    spans,
    resources,
    headers,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

export const attributesOf = (of: Pick<CollectedSpan, "attributes">): Record<string, unknown> =>
  Object.fromEntries(of.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
