/** Models that a request has help the called one are bound by what its key may call. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { ask, errorOf, messagesCall, responsesCall } from "./ask.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const advisor = (model: string) => ({ tools: [{ type: "advisor_20260301", name: "advisor", model }] })

describe("a key that may call one model", () => {
  it.each([
    ["an advisor", "/v1/messages", messagesCall("Hello", advisor("claude-opus-5"))],
    ["a fallback", "/v1/messages", messagesCall("Hello", { fallbacks: [{ model: "claude-opus-5" }] })],
    [
      "who draws",
      "/v1/responses",
      responsesCall("Hello", {
        tools: [{ type: "image_generation", output_format: "svg", svg: { model: "gpt-6-astra" } }]
      })
    ]
  ])("has no other as %s", async (_, path, body) => {
    const model = String(body["model"])
    const { accountId, key } = await gateway.account("50000", { models: [model] })
    const { started } = await gateway.seen()
    const answered = await ask(gateway, key, path, body)
    assert.strictEqual(answered.status, 403)
    const { message, type } = errorOf(answered, path === "/v1/messages" ? "messages" : "chat")
    assert.strictEqual(type, "permission_error")
    assert.include(message, `only: ${model}`)
    assert.strictEqual((await gateway.seen()).started, started)
    const [row] = await gateway.calls(accountId, 1)
    assert.deepInclude(row, { status: 403, cost_micro_vnd: 0n })
    assert.strictEqual(await gateway.balance(accountId), 50_000_000_000n)
  })

  it("may have the same one, and another that it may call", async () => {
    const { key } = await gateway.account("50000", { models: ["claude-*"] })
    const answered = await ask(gateway, key, "/v1/messages", messagesCall("Hello", advisor("claude-opus-5")))
    assert.strictEqual(answered.status, 200)
  })
})
