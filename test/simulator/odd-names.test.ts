/** What a caller names is looked for in the simulator's own tables alone, and none ends it for all others. */
import { assert, describe, it } from "@effect/vitest"
import { messagesBody, useSimulator } from "./ask.ts"

const simulator = useSimulator()

const speech = { model: "gpt-4o-mini-tts", input: "Hi", voice: "alloy", response_format: "__proto__" }
const saying = (content: unknown, more: object = {}) => ({
  ...messagesBody(""),
  messages: [{ role: "user", content, ...more }]
})
const schema = { type: "object", properties: { a: { type: "string", format: "toString" } }, required: ["a"] }
const tools = [{ name: "look", input_schema: schema }]
const image = { type: "image", source: { type: "base64", media_type: "constructor", data: "aGVsbG8=" } }

describe("whoever names what every object has", () => {
  it.each([
    ["/v1/audio/speech", speech, 400, "Invalid value: '__proto__'"],
    ["/v1/messages", messagesBody("[sim: constructor=1]"), 400, "has no setting 'constructor=1'"],
    ["/v1/messages", saying("Hi", { constructor: 1 }), 400, "constructor: Extra inputs"],
    ["/v1/messages", saying([image]), 400, "media_type: Input should be"],
    ["/v1/messages", messagesBody("[sim: tools=one]", { tools }), 200, '{"a":"Hà Nội"}']
  ])("is answered on %s, and so is everybody after", async (path, body, status, text) => {
    const response = await simulator.post(path, body)
    assert.strictEqual(response.status, status)
    assert.include(await response.text(), text)
    assert.strictEqual((await simulator.post("/v1/messages", messagesBody("Hi"))).status, 200)
  })
})
