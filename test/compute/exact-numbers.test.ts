/** Numbers that a double can not hold, as ids often are, come through every conversion as they were written. */
import { assert, describe, it } from "@effect/vitest"
import { pairs, wayTo } from "../../src/formats/pairs.ts"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import { readAnswer } from "../../src/compute/read-answer.ts"
import { withModelId } from "../../src/formats/convert/invoke-to-messages/answer.ts"
import { parseExactJson } from "../../src/formats/json/parse-exact-json.ts"
import type { StreamCodec } from "../../src/formats/stream/stream-codec.ts"
import type { TextEndpoint } from "../../src/domain/call.ts"
import { modelNamed } from "../catalogue.ts"
import { contextFor } from "../wire/models.ts"
import { limitsOf } from "../tokens/limits.ts"

const long = "12345678901234567890"
const input = `{"id":${long},"ids":[-${long},7],"text":"${long}","share":0.1}`
const quoted = JSON.stringify(input)

const messages = `{"model":"m","max_tokens":9,"messages":[
  {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":${input}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}]}`
const chat = `{"model":"m","messages":[
  {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":${quoted}}}]},
  {"role":"tool","tool_call_id":"a","content":"r"}]}`

const responses = `{"model":"m","input":[
  {"type":"function_call","call_id":"a","name":"f","arguments":${quoted}},
  {"type":"function_call_output","call_id":"a","output":"r"}]}`

const chatAnswer = `{"choices":[{"message":{"tool_calls":[
  {"id":"a","type":"function","function":{"name":"f","arguments":${quoted}}}]},"finish_reason":"tool_calls"}]}`
const responsesAnswer = `{"status":"completed","output":[
  {"type":"function_call","call_id":"a","name":"f","arguments":${quoted}}]}`
const messagesAnswer = `{"content":[{"type":"tool_use","id":"a","name":"f","input":${input}}],"stop_reason":"tool_use"}`
const converseAnswer = `{"output":{"message":{"role":"assistant","content":[
  {"toolUse":{"toolUseId":"a","name":"f","input":${input}}}]}},"stopReason":"tool_use"}`

const sent = (endpoint: TextEndpoint, id: string, body: string): string => {
  const model = modelNamed(id)
  const way = wayTo(endpoint, model)!
  return Buffer.from(prepareCall({ way, model, body: Buffer.from(body), anthropicBeta: "" }).bytes).toString()
}

const given = (endpoint: TextEndpoint, id: string, answer: string): string => {
  const model = modelNamed(id)
  const way = wayTo(endpoint, model)!
  return Buffer.from(
    readAnswer({
      way,
      model,
      bytes: Buffer.from(answer),
      context: contextFor(),
      limits: limitsOf(model)
    }).bytes
  ).toString()
}

const streamed = (codec: StreamCodec, events: string): string => String(codec.push(Buffer.from(events)))

it.each(["gpt-5.5", "kimi-k3"])(
  "a number of twenty digits in a tool's schema goes up to %s unchanged",
  (id) => {
    const schema = `{"type":"object","properties":{"id":{"type":"integer","maximum":${long},"x":[${long}]}}}`
    const tools = `[{"name":"f","input_schema":${schema}}]`
    const body = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"q"}],"tools":${tools}}`
    assert.include(sent("messages", id, body), schema)
  }
)

describe("a number of twenty digits in what a tool is called with", () => {
  it.each([
    ["messages", "kimi-k3", messages, quoted],
    ["messages", "gpt-5.5", messages, quoted],
    ["responses", "claude-opus-5", responses, input],
    ["responses", "kimi-k3", responses, quoted],
    ["responses", "svc/nova-pro", responses, input],
    ["messages", "svc/nova-pro", messages, input],
    ["chat_completions", "claude-opus-5", chat, input],
    ["chat_completions", "svc/nova-pro", chat, input],
    ["chat_completions", "svc/claude-opus-5", chat, input]
  ] as const)("goes up from %s to %s unchanged", (endpoint, model, body, expected) => {
    assert.include(sent(endpoint, model, body), expected)
  })

  it.each([
    ["messages", "kimi-k3", chatAnswer, input],
    ["messages", "gpt-5.5", responsesAnswer, input],
    ["responses", "claude-opus-5", messagesAnswer, quoted],
    ["responses", "kimi-k3", chatAnswer, quoted],
    ["responses", "svc/nova-pro", converseAnswer, quoted],
    ["messages", "svc/nova-pro", converseAnswer, input],
    ["chat_completions", "claude-opus-5", messagesAnswer, quoted],
    ["chat_completions", "svc/nova-pro", converseAnswer, quoted]
  ] as const)("comes down to %s from %s unchanged", (endpoint, model, answer, expected) => {
    assert.include(given(endpoint, model, answer), expected)
  })

  it.each(["gpt-5.5", "svc/nova-pro"])(
    "goes up to %s also where it stands for the type of a block in the model's turn",
    (model) => {
      const body = `{"model":"m","max_tokens":9,"messages":[
      {"role":"user","content":"q"},{"role":"assistant","content":[{"type":${long},"name":"n"}]},
      {"role":"user","content":"go on"}]}`
      assert.include(sent("messages", model, body), `[${long}] n`)
    }
  )

  it("comes down from Claude on Bedrock unchanged, also where a tool has its own name back", () => {
    const context = contextFor("svc/claude-opus-5", { toolNames: new Map([["f", "f.of.the/caller"]]) })
    const answer = withModelId(Buffer.from(messagesAnswer), "svc/claude-opus-5", context.toolNames)
    assert.include(answer.toString(), input)
  })

  it("comes down in a stream unchanged, also where it stands there whole as an object", () => {
    const chat = `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":${input}}}]}}]}\n\n`
    assert.include(streamed(pairs.messages.chat_completions.stream(contextFor()), chat), quoted.slice(1, -1))
    const messages = `data: {"type":"message_start","message":{}}\n\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":${input}}}\n\ndata: {"type":"content_block_stop","index":0}\n\n`
    assert.include(
      streamed(pairs.chat_completions.messages.stream(contextFor()), messages),
      quoted.slice(1, -1)
    )
  })
})

describe("JSON that is read exactly", () => {
  it("is what JSON is, but for whole numbers that would change", () => {
    const text = `{"a":[9007199254740991,0.12345678901234567,"${long}",null,true],"__proto__":{"b":1}}`
    assert.deepStrictEqual(parseExactJson(text), JSON.parse(text))
    for (const number of [long, `-${long}`, "9007199254740993"])
      assert.strictEqual(JSON.stringify(parseExactJson(`[${number}]`)), `[${number}]`)
    for (const fault of [`{"a":${long}`, `{${long}:1}`, `{${long} : 1}`])
      assert.throws(() => parseExactJson(fault))
  })

  it.each([
    `"\\"${long}"`,
    `["\\\\",${long},"\\\\\\"",-${long}]`,
    `{"${long}":${long},"a":{"${long}":[${long},[]]},"b":{}}`,
    `[${long}.5,${long}e2,0.${long},1e-${long}]`,
    long
  ])("holds what stands beside strings that look like it: %s", (text) => {
    const expected = text.replace(`0.${long},1e-${long}`, `${Number(`0.${long}`)},0`)
    assert.strictEqual(JSON.stringify(parseExactJson(text)), expected)
  })

  it.each([`0${long}`, `+${long}`, `--${long}`, `${long}a`, `${long}.`, `${long}e`, `${long}"`, `"${long}`])(
    "is no JSON where JSON is none: %s",
    (text) => {
      assert.throws(() => JSON.parse(text))
      assert.throws(() => parseExactJson(text))
    }
  )

  it("may hold very many values, and lie very deep", () => {
    const many = parseExactJson(`[${long},${"0,".repeat(1_000_000)}0]`) as ReadonlyArray<unknown>
    assert.lengthOf(many, 1_000_002)
    const deep = `${"[".repeat(100_000)}${long}${"]".repeat(100_000)}`
    assert.isArray(parseExactJson(deep))
  })
})
