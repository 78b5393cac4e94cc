/** The traces of calls, as a collector gets them. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { post } from "../gateway/open-stream.ts"
import { startGateway, type TestAccount, type TestGateway } from "../gateway/start-gateway.ts"
import { until } from "../until.ts"
import { ask } from "./calls.ts"
import { attributesOf, startCollector } from "./collector.ts"

const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

let collector: Awaited<ReturnType<typeof startCollector>>
let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  collector = await startCollector()
  gateway = await startGateway({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=one",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test"
    }
  })
  account = await gateway.account("100000")
})
afterAll(async () => {
  await gateway.stop()
  collector.close()
})

const messages = (prompt: string, fields = {}, headers = {}) =>
  post(`${gateway.url}/v1/messages?beta=true`, account.key, ask(prompt, fields), { headers })

describe("a trace", () => {
  const spansOf = (traceId: string, count: number) =>
    until(() => {
      const spans = collector.spans.filter((span) => span.traceId === traceId)
      return spans.length >= count && spans
    })

  it("goes on with the caller's, with the attempt inside the call, and on to the provider", async () => {
    const answer = await messages("Hello", {}, { traceparent: parent })
    await answer.ended
    const [own, attempt] = await spansOf("4bf92f3577b34da6a3ce929d0e0e4736", 2)
    assert.strictEqual(own!.parentSpanId, "00f067aa0ba902b7")
    assert.strictEqual(own!.name, "messages")
    assert.strictEqual(attempt!.parentSpanId, own!.spanId)
    assert.strictEqual(attempt!.kind, 3)
    assert.isTrue(BigInt(attempt!.startTimeUnixNano) >= BigInt(own!.startTimeUnixNano))
    assert.isTrue(BigInt(attempt!.endTimeUnixNano) <= BigInt(own!.endTimeUnixNano))
    assert.deepInclude(attributesOf(own!), {
      "tollgate.request_id": answer.headers["request-id"],
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": "claude-sonnet-5",
      "http.request.method": "POST",
      "http.route": "/v1/messages",
      "url.path": "/v1/messages",
      "url.scheme": "http",
      "http.response.status_code": "200"
    })
    const { last } = await gateway.seen()
    const [address, port] = String(last.at(-1)!.headers["host"]).split(":")
    assert.deepInclude(attributesOf(attempt!), {
      "tollgate.route": "anthropic#0",
      "http.request.method": "POST",
      "http.response.status_code": "200",
      "server.address": address,
      "server.port": port
    })
    assert.strictEqual(
      last.at(-1)!.headers["traceparent"],
      `00-4bf92f3577b34da6a3ce929d0e0e4736-${attempt!.spanId}-01`
    )
    assert.deepInclude(collector.resources[0], {
      "service.name": "tollgate",
      "deployment.environment": "test"
    })
    assert.deepInclude(collector.headers[0], { "x-tenant": "one", path: "/v1/traces" })
  })

  it("begins here where the caller has none, and tells failures", async () => {
    const answer = await messages("[sim: status=503]")
    const id = answer.headers["request-id"]
    const own = await until(() =>
      collector.spans.find((span) => attributesOf(span)["tollgate.request_id"] === id)
    )
    assert.isUndefined(own.parentSpanId)
    assert.deepStrictEqual(own.status, { code: 2, message: "api_error" })
    const [, attempt] = await spansOf(own.traceId, 2)
    assert.strictEqual(attempt!.status.message, "503")
    assert.strictEqual(attributesOf(attempt!)["error.type"], "503")
  })

  it("tells of an attempt that began well and broke off that it broke, as the log does", async () => {
    for (const [prompt, fields] of [
      ["[sim: tokens=9 cut_after=4]", { stream: true }],
      ["[sim: body=html]", {}]
    ] as const) {
      const answer = await messages(prompt, fields)
      await answer.ended
      const line = JSON.parse(await gateway.logged(answer.id)) as {
        readonly status: number
        readonly attempts: ReadonlyArray<object>
        readonly trace_id: string
      }
      assert.strictEqual(line.status, 502)
      assert.deepInclude(line.attempts[0], { route: "anthropic#0", outcome: "broken" })
      const attempt = await until(() =>
        collector.spans.find(({ kind, traceId }) => kind === 3 && traceId === line.trace_id)
      )
      assert.deepStrictEqual(attempt.status, { code: 2, message: "broken" })
    }
  })

  it("is not recorded where the caller does not, and its header is passed on as it is", async () => {
    const silent = "00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-00"
    const answer = await messages("Hello", {}, { traceparent: silent })
    await answer.ended
    const { last } = await gateway.seen()
    assert.strictEqual(last.at(-1)!.headers["traceparent"], silent)
    const later = await messages("Hello", {}, { traceparent: parent.replace("4bf9", "5bf9") })
    await later.ended
    await spansOf("5bf92f3577b34da6a3ce929d0e0e4736", 2)
    assert.isEmpty(collector.spans.filter(({ traceId }) => traceId.startsWith("aaaa")))
  })

  it("holds nothing of what was said, and no key", async () => {
    const text = JSON.stringify(collector.spans)
    assert.notInclude(text, "Hello")
    assert.notInclude(text, account.key)
    assert.notInclude(text, "beta=true")
  })
})
