/** A provider that says within an answer of status 200 that our account there may ask no more for now. */
import { assert } from "@effect/vitest"
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, it } from "vitest"
import { listen } from "../listen.ts"
import { readMetrics } from "../operations/read-metrics.ts"
import { ask, errorOf } from "./ask.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
let asked = 0
const limited = createServer((_, response) => {
  const told = { error: { message: "You exceeded your current quota.", code: "insufficient_quota" } }
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.end(`data: ${JSON.stringify(told)}\n\n`)
})
const limitedWhole = createServer((_, response) => {
  const told = { status_code: 2056, status_msg: "usage limit exceeded, 5-hour usage limit reached" }
  response.writeHead(200, { "content-type": "application/json" })
  response.end(JSON.stringify({ base_resp: told }))
})
const other = createServer((_, response) => {
  asked++
  response.writeHead(401)
  response.end()
})
beforeAll(async () => {
  const routeTo = async (server: typeof other, priority: number) => ({
    base_url: `http://127.0.0.1:${await listen(server)}/v1`,
    api_key: "k",
    priority
  })
  const behind = await routeTo(other, 2)
  gateway = await startGateway({
    env: { GATEWAY_THREADS: "1" },
    routes: {
      deepseek: [await routeTo(limited, 1), behind],
      mistral: [await routeTo(limitedWhole, 1), behind]
    }
  })
})
afterAll(async () => {
  await gateway.stop()
  for (const server of [limited, limitedWhole, other]) {
    server.closeAllConnections()
    server.close()
  }
})

describe("a limit that is told within a success", () => {
  it.each([
    ["deepseek", "deepseek-v4-pro", true],
    ["mistral", "mistral-medium-2604", false]
  ] as const)("is told to operators of %s, and lets another route go first", async (route, model, stream) => {
    const { key } = await gateway.account()
    const call = { model, stream, messages: [{ role: "user", content: "Hello" }] }
    asked = 0
    for (let turn = 0; turn < 5; turn++) {
      const answered = await ask(gateway, key, "/v1/chat/completions", call)
      assert.strictEqual(answered.status, 429)
      assert.notMatch(errorOf(answered, "chat").message, /quota|limit/)
      assert.isNotNull(answered.headers.get("retry-after"))
    }
    assert.strictEqual(asked, 0)
    const errors = (await readMetrics(gateway.url)).get("tollgate_route_last_error_timestamp_seconds")!
    assert.include(
      errors.samples.map(({ labels }) => `${labels["route"]} ${labels["error"]}`),
      `${route}#0 429`
    )
    await ask(gateway, key, "/v1/chat/completions", call)
    assert.strictEqual(asked, 1)
  })
})
