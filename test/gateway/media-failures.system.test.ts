/** Image and speech providers that tell of a failure, or of none, in an answer of status 200. */
import { assert } from "@effect/vitest"
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, it } from "vitest"
import { listen } from "../listen.ts"
import { readMetrics } from "../operations/read-metrics.ts"
import { ask } from "./ask.ts"
import { expectError } from "./endpoints.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"

interface Told {
  readonly body: string
  readonly type?: string
}

let gateway: TestGateway
let told: Told = { body: "" }
const provider = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, told.type === undefined ? {} : { "content-type": told.type })
    response.end(told.body)
  })
})
beforeAll(async () => {
  const base_url = `http://127.0.0.1:${await listen(provider)}/v1`
  gateway = await startGateway({ routes: { openai: [{ base_url, api_key: "k" }] } })
})
afterAll(async () => {
  await gateway.stop()
  provider.closeAllConnections()
  provider.close()
})

const calls = {
  image: ["/v1/images/generations", { model: "req/gpt-image-2", prompt: "A house" }],
  speech: ["/v1/audio/speech", { model: "req/gpt-4o-mini-tts", input: "Hello", voice: "alloy" }]
} as const

const json = "application/json"
const refused = { error: { message: "The prompt is not allowed.", code: "content_policy_violation" } }
const minimax = (status_code: number, status_msg: string) => ({
  data: null,
  base_resp: { status_code, status_msg }
})
const filtered = { code: "OutputImageSensitiveContentDetected", message: "The image may be sensitive." }
const unavailable = "The model's provider could not answer the request."

const lastErrors = async () =>
  (await readMetrics(gateway.url))
    .get("tollgate_route_last_error_timestamp_seconds")!
    .samples.map(({ labels }) => labels["error"])

describe("a failure of a provider of images or speech", () => {
  it.each<readonly [keyof typeof calls, string | undefined, unknown, 400 | 429 | 502, string]>([
    ["image", json, refused, 400, "The prompt is not allowed."],
    ["image", json, minimax(1026, "prompt new_sensitive"), 400, "prompt new_sensitive"],
    ["image", json, minimax(1002, "rate limit exceeded(RPM)"), 429, "rate limit exceeded(RPM)"],
    ["image", json, minimax(1008, "insufficient balance"), 502, unavailable],
    ["image", json, { data: [{ error: filtered }] }, 400, filtered.message],
    ["image", json, { data: [] }, 502, "The model's answer could not be read."],
    ["speech", json, refused, 400, "The prompt is not allowed."],
    ["speech", json, minimax(1002, "rate limit exceeded(RPM)"), 429, "rate limit exceeded(RPM)"],
    ["speech", json, { status: "done" }, 502, "The model did not answer with audio."],
    ["speech", undefined, refused, 400, "The prompt is not allowed."],
    ["speech", undefined, { status: "done" }, 502, "The model did not answer with audio."],
    ["speech", "audio/mpeg", minimax(1008, "insufficient balance"), 502, unavailable],
    ["speech", "application/octet-stream", minimax(1002, "rate limit"), 429, "rate limit"]
  ])("of %s as %s, %j, is %d and costs nothing", async (kind, type, body, status, message) => {
    told = { body: JSON.stringify(body), ...(type !== undefined && { type }) }
    const { accountId, key } = await gateway.account()
    const [path, call] = calls[kind]
    const answered = await ask(gateway, key, path, call)
    const words = { 400: "invalid_request_error", 429: "rate_limit_error", 502: "api_error" }
    assert.strictEqual(expectError(answered, status, words[status], "chat").message, message)
    const [row] = await gateway.calls(accountId, 1)
    assert.deepInclude(row, { status, cost_micro_vnd: 0n })
    if (status !== 400) assert.include(await lastErrors(), status === 429 ? "429" : "broken")
  })

  it("is not seen in audio that merely begins as one", async () => {
    told = { body: '{"pulses', type: "audio/pcm" }
    const { accountId, key } = await gateway.account()
    const answered = await ask(gateway, key, ...calls.speech)
    assert.strictEqual(answered.status, 200)
    assert.strictEqual(answered.text, told.body)
    const [row] = await gateway.calls(accountId, 1)
    assert.deepInclude(row, { status: 200, units: 1 })
    assert.isTrue(row!.cost_micro_vnd > 0n)
  })
})
