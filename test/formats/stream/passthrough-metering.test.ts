/** What a client that leaves is charged by: the codecs' own count of recorded streams, at their end and in their middle. */
import { assert, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import type { TextProtocol } from "../../../src/domain/catalogue.ts"
import { pairOf, type Way } from "../../../src/formats/pairs.ts"
import type { StreamCodec } from "../../../src/formats/stream/stream-codec.ts"
import { exactTextTokens } from "../../../src/tokens/count-input-tokens.ts"
import { outputTokens, outputTokensBound } from "../../../src/tokens/output-tokens.ts"
import { traitsOf } from "../../../src/tokens/tokenizer-traits.ts"
import { modelLike } from "../../tokens/models.ts"
import { type Recorded, recordings } from "../../tokens/recorded.ts"
import { countableOutput } from "../../tokens/recorded-limits.ts"
import { context } from "../bedrock-fixtures.ts"
import { describeWith, sharedPath } from "../../shared-folder.ts"

const root = sharedPath("fixtures")

interface Stream {
  readonly name: string
  readonly recorded: Recorded
  readonly bytes: Buffer
  readonly way: Way
}

const protocolOf = (name: string): TextProtocol => {
  if (name.startsWith("bedrock/converse")) return "converse"
  if (name.startsWith("bedrock/invoke")) return "invoke"
  if (name.startsWith("anthropic")) return "messages"
  return name.startsWith("openai-responses") ? "responses" : "chat_completions"
}

const streams: ReadonlyArray<Stream> = recordings()
  .filter((recorded) => recorded.outputTokens !== undefined && recorded.pieces.length > 0)
  .filter(countableOutput)
  .flatMap((recorded) => {
    const file = [`${root}/${recorded.name}.sse`, `${root}/${recorded.name}.b64`].find(existsSync)
    if (file === undefined) return []
    const text = readFileSync(file)
    const bytes = file.endsWith(".b64") ? Buffer.from(text.toString(), "base64") : text
    const protocol = protocolOf(recorded.name)
    const ways: ReadonlyArray<Way> =
      protocol === "responses"
        ? [{ endpoint: "responses", protocol }]
        : [
            { endpoint: "messages", protocol },
            { endpoint: "chat_completions", protocol }
          ]
    return ways.map((way) => ({ name: `${recorded.name} for ${way.endpoint}`, recorded, bytes, way }))
  })

const codecOf = ({ way }: Stream) => pairOf(way).stream(context)

const countOf = (codec: StreamCodec, { recorded }: Stream) =>
  outputTokens(codec.meter, modelLike(recorded.model))

describeWith("fixtures", "left streams", () => {
  it("are there in numbers", () => {
    assert.isAtLeast(streams.length, 50)
  })

  it.each(streams)(
    "$name: the count at the end is within 25 % of the usage recorded, or eight tokens",
    (stream) => {
      const codec = codecOf(stream)
      codec.push(stream.bytes)
      codec.end()
      const shown = stream.recorded.outputTokens! - stream.recorded.hiddenTokens
      assert.approximately(countOf(codec, stream), shown, Math.max(8, 0.25 * shown))
      assert.isAtLeast(outputTokensBound(codec.meter, modelLike(stream.recorded.model)), shown)
    }
  )

  it.each(streams)(
    "$name: the count in the middle is within 25 % of its share, or twelve tokens",
    (stream) => {
      const whole = codecOf(stream)
      whole.push(stream.bytes)
      const shown = stream.recorded.outputTokens! - stream.recorded.hiddenTokens
      const frame = traitsOf(modelLike(stream.recorded.model)).answerToolCall
      const exact = (text: string, calls: number) => exactTextTokens(text) + calls * frame
      const texts = stream.recorded.pieces
      const all = exact(texts.join(""), whole.meter.toolCalls)
      // Bytes are given one by one until half of the events have been counted.
      const codec = codecOf(stream)
      for (let at = 0; at < stream.bytes.length && codec.meter.events < whole.meter.events / 2; at++) {
        codec.push(stream.bytes.subarray(at, at + 1))
      }
      const part = exact(texts.slice(0, codec.meter.events).join(""), codec.meter.toolCalls)
      const share = shown * (part / all)
      assert.approximately(countOf(codec, stream), share, Math.max(12, 0.25 * share))
    }
  )
})
