/** Chat completions by chance, of all that chat providers are known to write, whole and as the stream of the same. */
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { Chances, type ToldTwice } from "./Chances.ts"
import { sse } from "./sse.ts"

export class RandomChat extends Chances {
  answer(): ToldTwice {
    const content = this.random.pick<string | null>([null, this.text(), this.text()])
    const thoughts = this.random.pick(["reasoning_content", "reasoning"])
    const reasoning = this.random.pick([undefined, "", this.words()])
    const refusal = this.random.chance(0.1) ? this.words() : undefined
    const annotations = this.some(1, () => ({
      type: "url_citation",
      url_citation: { start_index: 0, end_index: 1, url: "https://example.com/a", title: "A" }
    }))
    const tool_calls = this.some(3, (index) => this.#call(index))
    const message: JsonObject = {
      role: "assistant",
      content,
      ...(refusal !== undefined && { refusal }),
      ...(reasoning !== undefined && { [thoughts]: reasoning }),
      ...(annotations.length > 0 && { annotations }),
      ...(tool_calls.length > 0 && { tool_calls })
    }
    const finish_reason = this.random.pick(finishReasons)
    const usage = this.#usage()
    const shell = { id: "chatcmpl-1", created: 1, model: "m" }
    const chunk = (delta: JsonObject, finish: Json = null): JsonObject => ({
      ...shell,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }]
    })
    const events = [
      chunk({ role: "assistant", content: "" }),
      ...this.pieces(reasoning ?? "").map((piece) => chunk({ [thoughts]: piece })),
      ...this.pieces(content ?? "").map((piece) => chunk({ content: piece })),
      ...(annotations.length > 0 ? [chunk({ annotations })] : []),
      ...this.pieces(refusal ?? "").map((piece) => chunk({ refusal: piece })),
      ...tool_calls
        .flatMap((call, index) => this.#pieced(call, index))
        .map((piece) => chunk({ tool_calls: [piece] })),
      chunk({}, finish_reason),
      ...(usage === undefined ? [] : [{ ...shell, object: "chat.completion.chunk", choices: [], usage }])
    ]
    return {
      whole: {
        ...shell,
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason }],
        ...(usage !== undefined && { usage })
      },
      stream: Buffer.concat([sse(events, false), Buffer.from("data: [DONE]\n\n")])
    }
  }

  #call(index: number): JsonObject {
    const written = this.random.pick(["", "null", JSON.stringify(this.input()), JSON.stringify(this.input())])
    const id = `call_${index}`
    const name = this.random.pick(["f", "t.u", "own"])
    return this.random.chance(0.15)
      ? { id, type: "custom", custom: { name, input: this.words() } }
      : { id, type: "function", function: { name, arguments: written } }
  }

  #pieced(call: JsonObject, index: number): ReadonlyArray<JsonObject> {
    const [kind, long] = call.type === "custom" ? ["custom", "input"] : ["function", "arguments"]
    const called = call[kind!] as JsonObject
    return [
      { ...call, index, [kind!]: { ...called, [long!]: "" } },
      ...this.pieces(String(called[long!])).map((piece) => ({ index, [kind!]: { [long!]: piece } }))
    ]
  }

  #usage(): JsonObject | undefined {
    if (this.random.chance(0.1)) return undefined
    const [prompt, completion] = [9 + this.random.below(50), 9 + this.random.below(50)]
    return {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      ...(this.random.chance(0.5) && {
        prompt_tokens_details: { cached_tokens: this.random.below(9) },
        completion_tokens_details: { reasoning_tokens: this.random.below(9) }
      })
    }
  }
}

const finishReasons = [
  "stop",
  "stop",
  "tool_calls",
  "length",
  "content_filter",
  "function_call",
  "something_new"
]
