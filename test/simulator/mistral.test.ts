/** What Mistral does otherwise than other providers that speak chat. */
import { assert, describe, it } from "@effect/vitest"
import { chatBody, useSimulator } from "./ask.ts"

const simulator = useSimulator()
const model = "mistral-large-2512"
const path = "/v1/chat/completions"

describe("a Mistral model", () => {
  it("refuses other providers' thoughts in a message, which they take from each other", async () => {
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hi", reasoning_content: "hm" },
      { role: "user", content: "So?" }
    ]
    assert.strictEqual((await simulator.post(path, { model: "grok-4.3", messages })).status, 200)
    const refused = await simulator.post(path, { model, messages })
    assert.strictEqual(refused.status, 422)
    assert.include(await refused.text(), "Extra inputs are not permitted")
  })

  it("gives the usage of its stream unasked, with its finish", async () => {
    const asked = chatBody("Hi", { model, stream: true })
    const events = (await (await simulator.post(path, asked)).text()).trim().split("\n\n")
    assert.strictEqual(events.at(-1), "data: [DONE]")
    assert.include(events.at(-2), '"finish_reason":"stop"')
    assert.include(events.at(-2), '"usage":{')
  })
})
