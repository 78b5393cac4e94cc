/** How a Responses stream that is passed on ends when it fails. */
import { assert, describe, it } from "@effect/vitest"
import { ResponsesPassthrough } from "../../../src/formats/responses/ResponsesPassthrough.ts"

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const begun = { id: "resp_1", status: "in_progress", model: "m", output: [], usage: null, error: null }
const created = event("response.created", { sequence_number: 0, response: begun })
const text = event("response.output_text.delta", { sequence_number: 1, delta: "Hello" })
const fault = { code: "server_error", message: "clean" }

const failedOf = (stream: string, told = fault, lostEvents = 0) => {
  const codec = new ResponsesPassthrough()
  codec.push(Buffer.from(stream))
  codec.end()
  return codec.failed(told, lostEvents, (number) => `error at ${number};`)
}

describe("a Responses stream that fails under way", () => {
  it("ends with the response that the provider said has failed, in our words and without tokens", () => {
    const output = [{ type: "message", id: "msg_1" }]
    const error = { code: "server_error", message: "secret" }
    const end = event("response.failed", {
      sequence_number: 2,
      response: { ...begun, status: "failed", output, error, usage: { input_tokens: 3 } }
    })
    const response = { ...begun, status: "failed", output, error: fault, usage: null }
    assert.strictEqual(
      failedOf(created + text + end),
      event("response.failed", { sequence_number: 2, response })
    )
  })

  it.each([
    ["server_is_overloaded", "Selected model is at capacity.", "server_is_overloaded"],
    ["data_residency_mismatch", "Not from here.", "data_residency_mismatch"],
    ["not a code", "m", "server_error"],
    // What is wrong with our account is not the caller's affair.
    ["insufficient_quota", "You exceeded your quota.", "server_error"],
    ["invalid_api_key", "Incorrect API key provided.", "server_error"]
  ])("keeps the provider's code where its words are kept: %s, %s", (code, message, kept) => {
    const error = { code, message }
    const end = event("response.failed", {
      sequence_number: 2,
      response: { ...begun, status: "failed", error }
    })
    assert.include(failedOf(created + text + end), `"error":{"code":"${kept}","message":"clean"}`)
  })

  it.each([
    { status: "failed", error: { code: "rate_limit_exceeded", message: "secret" } },
    { status: "failed", error: null },
    { status: "cancelled", error: null }
  ])("has failed by what its last event says (%j), not by what that is called", (told) => {
    const usage = { input_tokens: 3, output_tokens: 2 }
    const end = event("response.completed", { sequence_number: 2, response: { ...begun, ...told, usage } })
    const codec = new ResponsesPassthrough()
    assert.strictEqual(codec.push(Buffer.from(created + text + end))?.toString(), created + text)
    assert.isFalse(codec.finished)
    assert.strictEqual(codec.failure?.type, told.error === null ? "api_error" : "rate_limit_error")
    const error = { ...fault, code: told.error?.code ?? fault.code }
    const response = { ...begun, status: "failed", error, usage: null }
    assert.strictEqual(
      failedOf(created + text + end),
      event("response.failed", { sequence_number: 2, response })
    )
  })

  it("ends with a failed response where the wallet ran dry, under the number of what was not passed on", () => {
    const dry = { code: "insufficient_quota", message: "Top up." }
    const response = { ...begun, status: "failed", error: dry }
    assert.strictEqual(
      failedOf(created + text, dry, 1),
      event("response.failed", { sequence_number: 1, response })
    )
  })

  it.each([
    ["in the provider's usual form", created],
    ["with its number behind", event("response.created", { response: begun, sequence_number: 0 })],
    ["with room", created.replaceAll(":{", ": {")]
  ])("has in it what its beginning told, %s", (_, opened) => {
    const dry = { code: "insufficient_quota", message: "Top up." }
    const inProgress = event("response.in_progress", { sequence_number: 1, response: { id: "other" } })
    const response = { ...begun, status: "failed", error: dry }
    assert.strictEqual(
      failedOf(opened + inProgress, dry),
      event("response.failed", { sequence_number: 2, response })
    )
    const codec = new ResponsesPassthrough()
    assert.strictEqual(codec.push(Buffer.from(opened + inProgress))?.toString(), opened + inProgress)
    assert.include(codec.keepAlive, '"sequence_number":1')
  })

  it("is told by the protocol's error event otherwise, and then ends as failed", () => {
    const response = { ...begun, status: "failed", error: fault }
    const end = `error at 2;${event("response.failed", { sequence_number: 3, response })}`
    assert.strictEqual(failedOf(created + text), end)
    assert.strictEqual(failedOf(created + text + event("error", { code: "server_error", message: "m" })), end)
  })

  it("is told by the protocol's error event alone where nothing had begun", () => {
    assert.isUndefined(failedOf(event("error", { code: "server_error", message: "m" })))
    assert.isUndefined(failedOf(event("response.failed", { response: { error: {} } })))
  })
})
