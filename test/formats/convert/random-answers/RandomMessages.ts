/** Messages answers by chance, of all that Anthropic's public documents name, whole and as the stream of the same. */
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { Chances, type ToldTwice } from "./Chances.ts"
import { sse } from "./sse.ts"

/** A block as it stands in a whole answer, as it begins in a stream, and how it goes on there. */
interface Block {
  readonly whole: JsonObject
  readonly begun: JsonObject
  readonly deltas: ReadonlyArray<JsonObject>
}

export class RandomMessages extends Chances {
  answer(): ToldTwice {
    const blocks = this.some(4, () => this.#block())
    const stop_reason = this.random.pick(stopReasons)
    const end: JsonObject = {
      stop_reason,
      stop_sequence: stop_reason === "stop_sequence" ? "END" : null,
      ...(stop_reason === "refusal" && {
        stop_details: this.random.pick([null, { type: "refusal", explanation: this.words() }])
      })
    }
    const input = {
      input_tokens: this.random.below(50),
      ...(this.random.chance(0.5) && {
        cache_creation_input_tokens: this.random.below(9),
        cache_read_input_tokens: this.random.below(9)
      })
    }
    const usage = { ...input, output_tokens: this.random.below(50) }
    const shell = { id: "msg_1", type: "message", role: "assistant", model: "m" }
    const started = { ...shell, content: [], stop_reason: null, stop_sequence: null }
    const events: Array<JsonObject> = [
      { type: "message_start", message: { ...started, usage: { ...input, output_tokens: 1 } } }
    ]
    for (const [index, { begun, deltas }] of blocks.entries()) {
      events.push({ type: "content_block_start", index, content_block: begun })
      for (const delta of deltas) events.push({ type: "content_block_delta", index, delta })
      events.push({ type: "content_block_stop", index })
    }
    events.push({ type: "message_delta", delta: end, usage }, { type: "message_stop" })
    const content = blocks.map(({ whole }) => whole)
    return { whole: { ...shell, content, ...end, usage }, stream: sse(events, true) }
  }

  #block(): Block {
    const kinds = [
      () => this.#text(),
      () => this.#text(),
      () => this.#call("tool_use"),
      () => this.#call("tool_use"),
      () => this.#call("server_tool_use"),
      () => this.#thinking(),
      () => this.#whole({ type: "redacted_thinking", data: this.words() }),
      () => this.#whole({ type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] }),
      () => this.#whole({ type: "something_new", data: this.words() })
    ]
    return this.random.pick(kinds)()
  }

  #whole(whole: JsonObject): Block {
    return { whole, begun: whole, deltas: [] }
  }

  #text(): Block {
    const text = this.text()
    const citations = this.some(1, () => ({
      type: "web_search_result_location",
      cited_text: this.words(),
      title: this.random.pick<Json>([null, this.words()]),
      url: "https://example.com/a",
      encrypted_index: "x"
    }))
    return {
      whole: { type: "text", text, ...(citations.length > 0 && { citations }) },
      begun: { type: "text", text: "", ...(citations.length > 0 && { citations: [] }) },
      deltas: [
        ...citations.map((citation) => ({ type: "citations_delta", citation })),
        ...this.pieces(text).map((piece) => ({ type: "text_delta", text: piece }))
      ]
    }
  }

  #call(type: string): Block {
    const input = this.input()
    const called = {
      type,
      id: `toolu_${this.random.below(1000)}`,
      name: this.random.pick(["f", "t.u", "own"])
    }
    const json = this.random.chance(0.5) && Object.keys(input).length === 0 ? "" : JSON.stringify(input)
    return {
      whole: { ...called, input },
      begun: { ...called, input: {} },
      deltas: ["", ...this.pieces(json)].map((piece) => ({ type: "input_json_delta", partial_json: piece }))
    }
  }

  #thinking(): Block {
    const thinking = this.random.pick(["", this.words()])
    const signature = this.random.pick(["", this.words()])
    return {
      whole: { type: "thinking", thinking, signature },
      begun: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...this.pieces(thinking).map((piece) => ({ type: "thinking_delta", thinking: piece })),
        ...(signature === "" ? [] : [{ type: "signature_delta", signature }])
      ]
    }
  }
}

const stopReasons = [
  "end_turn",
  "tool_use",
  "max_tokens",
  "stop_sequence",
  "pause_turn",
  "refusal",
  "model_context_window_exceeded",
  "something_new"
]
