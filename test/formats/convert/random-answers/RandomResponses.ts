/** Responses by chance, of all that OpenAI's public documents name, whole and as the stream of the same. */
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { Chances, type ToldTwice } from "./Chances.ts"
import { sse } from "./sse.ts"

/** An item as it stands in a response, as it begins in a stream, and the events between that and its end. */
interface Item {
  readonly whole: JsonObject
  readonly begun: JsonObject
  readonly events: ReadonlyArray<JsonObject>
}

export class RandomResponses extends Chances {
  answer(): ToldTwice {
    const items = this.some(4, (place) => this.#item(`item_${place}`))
    const [status, reason] = this.random.pick(endings)
    const incomplete_details = reason === undefined ? null : { reason }
    const shell = { id: "resp_1", object: "response", created_at: 1, model: "m", error: null }
    const begun = { ...shell, status: "in_progress", incomplete_details: null, output: [], usage: null }
    const output = items.map(({ whole }) => whole)
    const whole: JsonObject = { ...shell, status, incomplete_details, output, usage: this.#usage() }
    const events: Array<JsonObject> = [
      { type: "response.created", response: begun },
      { type: "response.in_progress", response: begun }
    ]
    for (const [output_index, item] of items.entries()) {
      events.push({ type: "response.output_item.added", output_index, item: item.begun })
      for (const event of this.#told(item)) events.push({ ...event, output_index, item_id: item.whole.id! })
      events.push({ type: "response.output_item.done", output_index, item: item.whole })
    }
    events.push({ type: `response.${status}`, response: whole })
    return {
      whole,
      stream: sse(
        events.map((event, sequence_number) => Object.assign(event, { sequence_number })),
        true
      )
    }
  }

  /** Some upstreams tell the rest of an item with its end alone. */
  #told({ events, whole }: Item): ReadonlyArray<JsonObject> {
    return whole.type === "reasoning" || this.random.chance(0.8)
      ? events
      : events.slice(0, this.random.below(events.length + 1))
  }

  #item(id: string): Item {
    const kinds = [
      () => this.#message(id),
      () => this.#message(id),
      () => this.#call(id),
      () => this.#call(id),
      () => this.#reasoning(id),
      () => this.#of({ id, type: "web_search_call", status: "completed", action: { type: "search" } }),
      () => this.#of({ id, type: "something_new", status: "completed" })
    ]
    return this.random.pick(kinds)()
  }

  #of(whole: JsonObject): Item {
    return { whole, begun: { ...whole, status: "in_progress" }, events: [] }
  }

  #message(id: string): Item {
    const parts = this.some(3, (content_index) => {
      const at = { content_index }
      if (this.random.chance(0.3)) {
        const refusal = this.text()
        const part = { type: "refusal", refusal }
        const deltas = this.pieces(refusal).map((delta) => ({
          type: "response.refusal.delta",
          content_index,
          delta
        }))
        return {
          part,
          events: [
            { type: "response.content_part.added", ...at, part: { ...part, refusal: "" } },
            ...deltas,
            { type: "response.refusal.done", ...at, refusal },
            { type: "response.content_part.done", ...at, part }
          ]
        }
      }
      const text = this.text()
      const annotations = this.some(1, () => ({
        type: "url_citation",
        start_index: 0,
        end_index: 1,
        url: "https://example.com/a",
        title: "A"
      }))
      const part = { type: "output_text", annotations, logprobs: [], text }
      const deltas = this.pieces(text).map((delta) => ({
        type: "response.output_text.delta",
        content_index,
        delta,
        logprobs: []
      }))
      const cited = annotations.map((annotation, annotation_index) => ({
        type: "response.output_text.annotation.added",
        content_index,
        annotation_index,
        annotation
      }))
      return {
        part,
        events: [
          { type: "response.content_part.added", ...at, part: { ...part, annotations: [], text: "" } },
          ...deltas,
          ...cited,
          { type: "response.output_text.done", ...at, text, logprobs: [] },
          { type: "response.content_part.done", ...at, part }
        ]
      }
    })
    const content = parts.map(({ part }) => part) as ReadonlyArray<JsonObject>
    const whole = { id, type: "message", role: "assistant", status: "completed", content }
    return {
      whole,
      begun: { ...whole, status: "in_progress", content: [] },
      events: parts.flatMap(({ events }) => events as ReadonlyArray<JsonObject>)
    }
  }

  #call(id: string): Item {
    const called = { call_id: `call_${this.random.below(1000)}`, name: this.random.pick(["f", "t.u", "own"]) }
    const [type, field, event, text] = this.random.chance(0.15)
      ? (["custom_tool_call", "input", "custom_tool_call_input", this.words()] as const)
      : (["function_call", "arguments", "function_call_arguments", this.#written()] as const)
    const whole = { id, type, status: "completed", ...called, [field]: text }
    return {
      whole,
      begun: { ...whole, status: "in_progress", [field]: "" },
      events: [
        ...this.pieces(text).map((delta) => ({ type: `response.${event}.delta`, delta })),
        { type: `response.${event}.done`, [field]: text }
      ]
    }
  }

  #written(): string {
    return this.random.pick(["null", JSON.stringify(this.input()), JSON.stringify(this.input())])
  }

  #reasoning(id: string): Item {
    const texts = this.some(2, () => this.words())
    const sealed = this.random.chance(0.5) ? { encrypted_content: this.words() } : {}
    const summary = texts.map((text) => ({ type: "summary_text", text }))
    const whole = { id, type: "reasoning", summary, ...sealed }
    return {
      whole,
      begun: { ...whole, summary: [] },
      events: texts.flatMap((text, summary_index) => {
        const at = { summary_index }
        const deltas: ReadonlyArray<JsonObject> = this.pieces(text).map((delta) => ({
          type: "response.reasoning_summary_text.delta",
          summary_index,
          delta
        }))
        return [
          {
            type: "response.reasoning_summary_part.added",
            ...at,
            part: { type: "summary_text", text: "" }
          } as JsonObject
        ].concat(
          deltas,
          { type: "response.reasoning_summary_text.done", ...at, text },
          { type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text } }
        )
      })
    }
  }

  #usage(): JsonObject {
    const [input, output] = [9 + this.random.below(50), 9 + this.random.below(50)]
    return {
      input_tokens: input,
      input_tokens_details: { cached_tokens: this.random.below(9), cache_write_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: this.random.below(9) },
      total_tokens: input + output
    }
  }
}

const endings = [
  ["completed", undefined],
  ["completed", undefined],
  ["incomplete", "max_output_tokens"],
  ["incomplete", "content_filter"]
] as const
