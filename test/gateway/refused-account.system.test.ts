/** A provider that refuses the operator's account in the words and with the status of a bad request. */
import { assert } from "@effect/vitest"
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, it } from "vitest"
import { listen } from "../listen.ts"
import { readMetrics } from "../operations/read-metrics.ts"
import { ask, errorOf, messagesCall } from "./ask.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
const asked: Array<string> = []
const refusing = createServer((_, response) => {
  asked.push("refusing")
  const message = "You have reached your specified API usage limits. You will regain access on 2026-04-01."
  const error = { type: "invalid_request_error", message }
  response.writeHead(400, { "content-type": "application/json" })
  response.end(JSON.stringify({ type: "error", error, request_id: "req_1" }))
})
const answering = createServer((_, response) => {
  asked.push("answering")
  response.writeHead(200, { "content-type": "application/json" })
  response.end(
    JSON.stringify({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: "Hello" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 5, output_tokens: 1 }
    })
  )
})
beforeAll(async () => {
  const routes = await Promise.all(
    [refusing, answering].map(async (server, index) => ({
      base_url: `http://127.0.0.1:${await listen(server)}`,
      api_key: "k",
      priority: index + 1
    }))
  )
  gateway = await startGateway({ env: { GATEWAY_THREADS: "1" }, routes: { anthropic: routes } })
})
afterAll(async () => {
  await gateway.stop()
  for (const server of [refusing, answering]) {
    server.closeAllConnections()
    server.close()
  }
})

describe("an operator's account that a provider refuses as a bad request", () => {
  it("is the provider's failure, told to operators, after which another route goes first", async () => {
    const { accountId, key } = await gateway.account()
    for (let turn = 0; turn < 5; turn++) {
      const answered = await ask(gateway, key, "/v1/messages", messagesCall())
      assert.strictEqual(answered.status, 502)
      assert.strictEqual(errorOf(answered).message, "The model's provider could not answer the request.")
      assert.isNull(answered.headers.get("x-should-retry"))
    }
    const rows = await gateway.calls(accountId, 5)
    assert.deepStrictEqual(new Set(rows.map((row) => row.cost_micro_vnd)), new Set([0n]))
    const errors = (await readMetrics(gateway.url)).get("tollgate_route_last_error_timestamp_seconds")!
    assert.deepInclude(errors.samples[0]!.labels, { route: "anthropic#0", error: "400" })
    const answered = await ask(gateway, key, "/v1/messages", messagesCall())
    assert.strictEqual(answered.status, 200)
    assert.deepStrictEqual(asked.slice(4), ["refusing", "answering"])
  })
})
