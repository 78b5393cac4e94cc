/** What a chat client is told of a Responses upstream's answer beside its words, whole and as a stream. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { pairs } from "../../../../src/formats/pairs.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { contextFor } from "../../../wire/models.ts"
import { readWithOpenAI } from "../../../wire/stream-answers.ts"
import { runCodec } from "../../../wire/stream-runner.ts"

const pair = pairs.chat_completions.responses
const context = contextFor("gpt-5.5")

const said = (...content: ReadonlyArray<JsonObject>): JsonObject => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content
})
const part = (text: string, ...annotations: ReadonlyArray<JsonObject>): JsonObject => ({
  type: "output_text",
  text,
  annotations,
  logprobs: []
})

const judged = {
  type: "moderation_result",
  model: "omni-moderation-latest",
  flagged: false,
  categories: { violence: false },
  category_scores: { violence: 0.01 },
  category_applied_input_types: { violence: ["text"] }
}
const unjudged = { type: "error", code: "unavailable", message: "Try again." }

const response = (output: ReadonlyArray<JsonObject>): JsonObject => ({
  id: "resp_1",
  moderation: { input: judged, output: unjudged },
  object: "response",
  status: "completed",
  output,
  service_tier: "priority",
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
})

const whole = (output: ReadonlyArray<JsonObject>) =>
  JSON.parse(
    Buffer.from(Result.getOrThrow(pair.answer(response(output), Buffer.alloc(0), context))).toString()
  )

const streamOf = (output: ReadonlyArray<JsonObject>) => {
  const items = output.flatMap((item, output_index): ReadonlyArray<JsonObject> => [
    { type: "response.output_item.added", output_index, item: { ...item, content: [] } },
    ...((item.content ?? []) as ReadonlyArray<JsonObject>).map(({ text }): JsonObject => ({
      type: "response.output_text.delta",
      output_index,
      content_index: 0,
      delta: text!
    })),
    { type: "response.output_item.done", output_index, item }
  ])
  const asked = { ...response([]), status: "in_progress", service_tier: "auto", usage: null }
  const events: ReadonlyArray<JsonObject> = [
    { type: "response.created", response: asked },
    ...items,
    { type: "response.completed", response: response(output) }
  ]
  const bytes = Buffer.from(
    events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join("")
  )
  return runCodec(pair.stream(context), [bytes], "chat")
}

const streamed = (output: ReadonlyArray<JsonObject>) => readWithOpenAI(streamOf(output))

it("C84 a call whose arguments come with their end alone has them, once", () => {
  const item = { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: "" }
  const called = '{"city":"Huế"}'
  const codec = pair.stream(context)
  const events: ReadonlyArray<JsonObject> = [
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.function_call_arguments.done", output_index: 0, item_id: "fc_1", arguments: called },
    { type: "response.output_item.done", output_index: 0, item: { ...item, arguments: called } }
  ]
  const frames = (some: ReadonlyArray<JsonObject>) =>
    Buffer.from(some.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""))
  assert.include(codec.push(frames(events.slice(0, 2)))?.toString(), JSON.stringify(called))
  assert.notInclude(codec.push(frames(events.slice(2)))?.toString() ?? "", "Huế")
})

describe("an answer of Responses", () => {
  it("tells a chat client which tier served it, not which was asked for", async () => {
    const output = [said(part("It rained."))]
    assert.strictEqual(whole(output).service_tier, "priority")
    assert.strictEqual((await streamed(output)).service_tier, "priority")
    assert.notInclude(streamOf(output), '"auto"')
  })

  it("is one choice of the model's, which names no tier where it was told none", async () => {
    const output = [said(part("It rained."))]
    const shape = { index: 0, logprobs: null, finish_reason: "stop" }
    for (const { choices } of [whole(output), await streamed(output)]) {
      assert.lengthOf(choices, 1)
      assert.deepInclude(choices[0], shape)
      assert.deepInclude(choices[0].message, { role: "assistant", content: "It rained.", refusal: null })
    }
    const { service_tier: _, ...untold } = response(output)
    const answer = Result.getOrThrow(pair.answer(untold, Buffer.alloc(0), context))
    assert.notProperty(JSON.parse(Buffer.from(answer).toString()), "service_tier")
  })

  it("tells a chat client how input and output were judged", async () => {
    const output = [said(part("It rained."))]
    const moderation = {
      input: { type: "moderation_results", model: judged.model, results: [judged] },
      output: unjudged
    }
    assert.deepStrictEqual(whole(output).moderation, moderation)
    assert.deepStrictEqual<unknown>((await streamed(output)).moderation, moderation)
  })

  it("tells a chat client what it cites, counted from the beginning of all that it says", async () => {
    const cites = (start_index: number, end_index: number) => ({
      type: "url_citation",
      url_citation: { start_index, end_index, url: "https://example.org/rain", title: "Rain" }
    })
    const flat = ({ type, url_citation }: ReturnType<typeof cites>) => ({ type, ...url_citation })
    const first = said(part("It rained.", flat(cites(0, 2))))
    const second = said(
      part("A lot.", flat(cites(0, 5)), { type: "file_citation", file_id: "f", index: 0, filename: "a" })
    )
    assert.deepStrictEqual(whole([first]).choices[0].message.annotations, [cites(0, 2)])
    assert.deepStrictEqual(whole([first, second]).choices[0].message.annotations, [
      cites(0, 2),
      cites(12, 17)
    ])
    const { message } = (await streamed([first])).choices[0]!
    assert.deepStrictEqual(message.annotations, [cites(0, 2)])
    // Of two lists the SDK keeps the last.
    const { message: later } = (await streamed([first, second])).choices[0]!
    assert.deepStrictEqual([later.content, later.annotations], ["It rained.\n\nA lot.", [cites(12, 17)]])
    assert.notProperty(whole([said(part("It rained."))]).choices[0].message, "annotations")
    assert.notInclude(streamOf([said(part("It rained."))]), "annotations")
  })

  it("tells a remark from the answer behind it", async () => {
    const output = [said(part("I look.")), said(part("")), said(part("It "), part("rained."))]
    for (const { choices } of [whole(output), await streamed(output)])
      assert.strictEqual(choices[0]!.message.content, "I look.\n\nIt rained.")
  })

  it("tells a chat client thoughts that are not summed up", () => {
    const piece = (delta: string) => ({ type: "response.reasoning_text.delta", output_index: 0, delta })
    const item = { id: "rs_1", type: "reasoning", summary: [] }
    const content = [{ type: "reasoning_text", text: "Look up." }]
    const events = [
      { type: "response.created", response: response([]) },
      { type: "response.output_item.added", output_index: 0, item },
      ...["Look", " up."].map(piece),
      { type: "response.output_item.done", output_index: 0, item: { ...item, content } },
      { type: "response.completed", response: response([{ ...item, content }]) }
    ]
    const bytes = Buffer.from(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")
    )
    const told = runCodec(pair.stream(context), [bytes], "chat")
    const thoughts = [...told.matchAll(/"reasoning_content":"([^"]*)"/g)].map(([, thought]) => thought)
    assert.strictEqual(thoughts.join(""), "Look up.")
    assert.strictEqual(whole([{ ...item, content }]).choices[0].message.reasoning_content, "Look up.")
  })

  it("calls a function with an empty object where it was called with nothing", async () => {
    const call = { id: "fc_1", type: "function_call", call_id: "call_1", name: "now", arguments: "" }
    const called = [{ id: "call_1", type: "function", function: { name: "now", arguments: "{}" } }]
    assert.deepStrictEqual(whole([call]).choices[0].message.tool_calls, called)
    const { message } = (await streamed([call])).choices[0]!
    assert.deepStrictEqual(JSON.parse(JSON.stringify(message.tool_calls)), called)
  })
})
