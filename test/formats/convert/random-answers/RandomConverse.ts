/** Converse answers by chance, of all that Bedrock's public documents name, whole and as the stream of the same. */
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { converseFrame } from "../../../wire/aws-frames.ts"
import { Chances, type ToldTwice } from "./Chances.ts"

/** A block as it stands in a whole answer, and as its events tell it. */
interface Block {
  readonly whole: JsonObject
  readonly start?: JsonObject
  readonly deltas: ReadonlyArray<JsonObject>
}

const base64 = (text: string) => Buffer.from(text).toString("base64")

export class RandomConverse extends Chances {
  answer(): ToldTwice {
    const blocks = this.some(4, () => this.#block())
    const stopReason = this.random.pick(stopReasons)
    const usage = this.#usage()
    const told = {
      ...(usage !== undefined && { usage }),
      metrics: { latencyMs: 5 },
      ...(this.random.chance(0.2) && { trace: { guardrail: { actionReason: "No action." } } }),
      ...(this.random.chance(0.2) && { serviceTier: { type: "default" } }),
      ...(this.random.chance(0.2) && { performanceConfig: { latency: "standard" } })
    }
    const more = this.random.chance(0.2) ? { additionalModelResponseFields: { stop_sequence: "x" } } : {}
    const content = blocks.map(({ whole }) => whole)
    const whole: JsonObject = {
      output: { message: { role: "assistant", content } },
      stopReason,
      ...more,
      ...told
    }
    const frames = [
      converseFrame("messageStart", { role: "assistant" }),
      ...blocks.flatMap(framesOf),
      converseFrame("messageStop", { stopReason, ...more }),
      converseFrame("metadata", told)
    ]
    return { whole, stream: Buffer.concat(frames) }
  }

  #block(): Block {
    const kinds = [
      () => this.#text(),
      () => this.#text(),
      () => this.#call(),
      () => this.#call(),
      () => this.#thinking(),
      () => this.#redacted(),
      () => this.#cited(),
      () => this.#picture(),
      () => this.#toolResult()
    ]
    return this.random.pick(kinds)()
  }

  #text(): Block {
    const text = this.text()
    return { whole: { text }, deltas: this.pieces(text).map((piece) => ({ text: piece })) }
  }

  #call(): Block {
    const input = this.random.chance(0.2) ? null : this.input()
    const called = {
      toolUseId: `tooluse_${this.random.below(1000)}`,
      name: this.random.pick(["f", "get-weather", "search<|channel|>commentary", "t.u", "answer"]),
      ...(this.random.chance(0.1) && { type: "server_tool_use" })
    }
    const isNothing = input === null || Object.keys(input).length === 0
    const json = this.random.chance(0.5) && isNothing ? "" : JSON.stringify(input)
    return {
      whole: { toolUse: { ...called, input } },
      start: { toolUse: called },
      deltas: this.pieces(json).map((piece) => ({ toolUse: { input: piece } }))
    }
  }

  #thinking(): Block {
    const text = this.random.pick(["", this.words()])
    const signature = this.random.pick([undefined, "", base64(this.words())])
    const signed = signature === undefined ? {} : { signature }
    return {
      whole: { reasoningContent: { reasoningText: { text, ...signed } } },
      deltas: [
        ...this.pieces(text).map((piece) => ({ reasoningContent: { text: piece } })),
        ...(signature === undefined ? [] : [{ reasoningContent: { signature } }])
      ]
    }
  }

  #redacted(): Block {
    const redactedContent = this.random.pick([base64(this.words()), "/v8A", ""])
    return {
      whole: { reasoningContent: { redactedContent } },
      deltas: [{ reasoningContent: { redactedContent } }]
    }
  }

  #cited(): Block {
    const text = this.random.pick(["", " ", this.words()])
    const citations = this.some(2, () => ({
      title: this.words(),
      source: "https://example.com/a",
      sourceContent: this.some(2, () => ({ text: this.words() })),
      location: this.random.pick<JsonObject>([
        { documentChar: { documentIndex: 0, start: 1, end: 5 } },
        { documentPage: { documentIndex: 1, start: 1, end: 2 } },
        { documentChunk: { documentIndex: 0, start: 0, end: 3 } },
        { searchResultLocation: { searchResultIndex: 2, start: 0, end: 1 } },
        { web: { url: "https://example.com/b", domain: "example.com" } },
        { newPlace: {} }
      ])
    }))
    return {
      whole: { citationsContent: { content: text === "" ? [] : [{ text }], citations } },
      deltas: [
        ...this.pieces(text).map((piece) => ({ text: piece })),
        ...citations.map((citation) => ({ citation }))
      ]
    }
  }

  #picture(): Block {
    const image = { format: "png", source: { bytes: "iVBORw0KGgo=" } }
    return { whole: { image }, start: { image: { format: "png" } }, deltas: [{ image }] }
  }

  #toolResult(): Block {
    const result = { toolUseId: "tooluse_1", type: "nova_grounding_result", status: "success" }
    const content = [{ json: { a: 1 } }]
    return {
      whole: { toolResult: { ...result, content } },
      start: { toolResult: result },
      deltas: [{ toolResult: content }] as unknown as ReadonlyArray<JsonObject>
    }
  }

  #usage(): JsonObject | undefined {
    if (this.random.chance(0.1)) return undefined
    const [inputTokens, outputTokens] = [this.random.below(50), this.random.below(50)]
    return {
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      ...(this.random.chance(0.5) && {
        cacheReadInputTokens: this.random.below(9),
        cacheWriteInputTokens: this.random.below(9)
      })
    }
  }
}

const framesOf = ({ deltas, start }: Block, contentBlockIndex: number): ReadonlyArray<Buffer> => {
  const frames = deltas.map((delta) => converseFrame("contentBlockDelta", { contentBlockIndex, delta }))
  if (start !== undefined) frames.unshift(converseFrame("contentBlockStart", { contentBlockIndex, start }))
  frames.push(converseFrame("contentBlockStop", { contentBlockIndex }))
  return frames
}

const stopReasons = [
  "end_turn",
  "tool_use",
  "max_tokens",
  "stop_sequence",
  "guardrail_intervened",
  "content_filtered",
  "malformed_model_output",
  "malformed_tool_use",
  "model_context_window_exceeded",
  "something_new"
]
