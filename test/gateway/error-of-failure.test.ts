/** Whose words a client is told in which field of its request a provider found a fault. */
import { assert, describe, it } from "@effect/vitest"
import { pairs } from "../../src/formats/pairs.ts"
import { errorOfFailure } from "../../src/gateway/error-of-failure.ts"
import { providerOf } from "../upstream/stub-providers.ts"

const provider = providerOf([
  { id: "a#0", baseUrl: "https://models.acme.example/v1", apiKey: "key-of-acme", priority: 1, weight: 1 }
])

const paramOf = (param: string, clientsField?: (field: string) => string | undefined) =>
  errorOfFailure({ type: "invalid_request_error", message: "no", param }, provider, clientsField).param

describe("the field that a provider complains of", () => {
  it("stays what it is where it speaks the client's protocol", () => {
    const { chat_completions: chat, responses } = pairs
    assert.strictEqual(
      paramOf("messages[3].content", chat.chat_completions.clientsField),
      "messages[3].content"
    )
    assert.strictEqual(paramOf("input[3].content", responses.responses.clientsField), "input[3].content")
    assert.strictEqual(paramOf("prompt"), "prompt")
  })

  const converted = [pairs.chat_completions.responses, pairs.responses.chat_completions]

  it.each(["messages", "messages[3].content", "input", "input[3].content", "tools[0].name", "max_tokens"])(
    "is not told by its name of %s where the client's protocol is another",
    (param) => {
      for (const { clientsField } of converted) assert.isUndefined(paramOf(param, clientsField))
    }
  )

  it.each(["tools", "temperature", "service_tier"])("is told as %s, which both know by that", (param) => {
    for (const { clientsField } of converted) assert.strictEqual(paramOf(param, clientsField), param)
  })
})
