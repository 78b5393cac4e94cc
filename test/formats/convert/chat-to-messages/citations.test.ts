/** What a chat upstream cites, for the clients that know it and for those that do not. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { pairs } from "../../../../src/formats/pairs.ts"
import { clients } from "../../../wire/clients.ts"
import { responsesStreamFault } from "../../../wire/responses/legal-responses.ts"
import { type Event, readClient } from "../../../wire/responses/read-client.ts"
import { runCodec } from "../../../wire/stream-runner.ts"
import { chunk, finish } from "../chat-streams.ts"

const cites = (start_index: number, end_index: number, more: JsonObject = {}): JsonObject => ({
  type: "url_citation",
  url_citation: { start_index, end_index, url: "https://example.org/rain", title: "Rain", ...more }
})
const shown = (start_index: number, end_index: number) => ({
  type: "url_citation",
  start_index,
  end_index,
  url: "https://example.org/rain",
  title: "Rain"
})

const whole = (message: JsonObject, endpoint: "messages" | "responses" = "responses") => {
  const answer = { choices: [{ index: 0, message, finish_reason: "stop" }] }
  const told = pairs[endpoint].chat_completions.answer(answer, Buffer.alloc(0), clients[endpoint].context)
  return JSON.parse(Buffer.from(Result.getOrThrow(told)).toString())
}

const streamed = (
  deltas: ReadonlyArray<JsonObject>,
  endpoint: "messages" | "responses" = "responses"
): string => {
  const chunks = [...deltas.map((delta) => chunk(delta)), finish("stop")]
  const bytes = Buffer.from(chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(""))
  const { context, family } = clients[endpoint]
  return runCodec(pairs[endpoint].chat_completions.stream(context), [bytes], family)
}

const eventsOf = (text: string): ReadonlyArray<Event> =>
  readClient("responses", "text/event-stream", text).events

const rained = { content: "It rained." }
const others = [{ type: "file_citation" }, { type: "url_citation" }, cites(0, 2, { url: 7 })]

describe("what a chat upstream cites", () => {
  it("is told a Responses client with the text, in a whole answer", () => {
    const { output } = whole({
      ...rained,
      annotations: [cites(0, 2, { content: "Rain fell." }), ...others, cites(3, 9)]
    })
    assert.deepStrictEqual(output[0].content, [
      { type: "output_text", annotations: [shown(0, 2), shown(3, 9)], logprobs: [], text: "It rained." }
    ])
  })

  it("is told a Responses client in events of its own and where the text is whole, in a stream", () => {
    const events = eventsOf(
      streamed([rained, { annotations: [cites(0, 2), ...others] }, { annotations: [cites(3, 9)] }])
    )
    assert.isUndefined(responsesStreamFault(events))
    const added = events.filter(({ event }) => event === "response.output_text.annotation.added")
    assert.deepStrictEqual(
      added.map(({ data: { sequence_number: _, ...rest } }) => rest),
      [shown(0, 2), shown(3, 9)].map((annotation, annotation_index) => ({
        type: "response.output_text.annotation.added",
        item_id: "msg_01abc_0",
        output_index: 0,
        content_index: 0,
        annotation_index,
        annotation
      }))
    )
    const done = events.find(({ event }) => event === "response.content_part.done")!
    const { annotations } = done.data.part as JsonObject
    assert.deepStrictEqual(annotations, [shown(0, 2), shown(3, 9)])
    const last = events.at(-1)!.data.response as { readonly output: ReadonlyArray<JsonObject> }
    assert.deepStrictEqual(last.output[0]!.content, [done.data.part!])
  })

  it("goes with the text that it stands in, and is left out where there is none", () => {
    const [text, bare] = [
      streamed([{ ...rained, annotations: [cites(0, 2)] }]),
      streamed([{ annotations: [cites(0, 2)] }])
    ]
    assert.include(text, "annotation.added")
    assert.notInclude(bare, "url_citation")
    assert.isUndefined(responsesStreamFault(eventsOf(bare)))
    assert.deepStrictEqual(whole({ content: null, annotations: [cites(0, 2)] }).output, [])
  })

  it("has no form that a Messages client knows", () => {
    assert.deepStrictEqual(whole({ ...rained, annotations: [cites(0, 2)] }, "messages").content, [
      { type: "text", text: "It rained." }
    ])
    assert.notInclude(streamed([rained, { annotations: [cites(0, 2)] }], "messages"), "citation")
  })
})
