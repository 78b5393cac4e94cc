/** The answers of test/fixtures' streams as they are told whole, for the clients of every protocol. */
import { assert, describe, it } from "@effect/vitest"
import { readAnswer } from "../../src/compute/read-answer.ts"
import type { Json, JsonObject } from "../../src/formats/json/json.ts"
import type { Way } from "../../src/formats/pairs.ts"
import { ownStreams, type StreamFixture } from "../fixtures/read-fixtures.ts"
import { limitsOf } from "../tokens/limits.ts"
import { modelNamed } from "../catalogue.ts"
import { expected, expectCharge, isRelayed, ownWays } from "./own-ways.ts"
import { readClient } from "./responses/read-client.ts"

/** In the order of their numbers. */
const conversed = (lines: ReadonlyArray<string>): JsonObject => {
  const blocks: Array<Record<string, Json>> = []
  const rest: Record<string, Json | undefined> = {}
  for (const line of lines) {
    const event = JSON.parse(line.slice(line.indexOf(" "))) as JsonObject
    const index = Number(event.contentBlockIndex)
    const block = (blocks[index] ??= {})
    const { start, delta } = event as { readonly start?: JsonObject; readonly delta?: JsonObject }
    if (start?.toolUse !== undefined) block["toolUse"] = { ...(start.toolUse as JsonObject), input: "" }
    if (delta !== undefined) addPiece(block, delta)
    Object.assign(rest, event.stopReason !== undefined && { stopReason: event.stopReason })
    Object.assign(rest, event.usage !== undefined && { usage: event.usage, serviceTier: event.serviceTier })
  }
  return {
    ...rest,
    output: { message: { role: "assistant", content: blocks.filter(isTold).map(wholeBlock) } }
  }
}

const isTold = (block: object) => Object.keys(block).length > 0

const addPiece = (block: Record<string, Json>, { citation, reasoningContent, text, toolUse }: JsonObject) => {
  if (text !== undefined) block["text"] = String(block["text"] ?? "") + String(text)
  if (citation !== undefined) block["citations"] = [...((block["citations"] ?? []) as Array<Json>), citation]
  if (toolUse !== undefined) {
    const begun = block["toolUse"] as JsonObject
    block["toolUse"] = { ...begun, input: String(begun.input) + String((toolUse as JsonObject).input) }
  }
  for (const [name, piece] of Object.entries((reasoningContent ?? {}) as JsonObject)) {
    const thought = (block["thought"] ?? {}) as JsonObject
    block["thought"] = { ...thought, [name]: String(thought[name] ?? "") + String(piece) }
  }
}

const wholeBlock = ({ citations, text, thought, toolUse }: Record<string, Json>): JsonObject => {
  if (toolUse !== undefined) {
    const { input, ...called } = toolUse as JsonObject
    return { toolUse: { ...called, input: JSON.parse(String(input)) as Json } }
  }
  if (thought !== undefined) {
    const { redactedContent, ...reasoningText } = thought as JsonObject
    return { reasoningContent: redactedContent === undefined ? { reasoningText } : { redactedContent } }
  }
  return citations === undefined
    ? { text: text ?? "" }
    : { citationsContent: { content: [{ text: text! }], citations } }
}

const wholeOf = ({ bytes, lines, protocol, whole }: StreamFixture): JsonObject => {
  if (whole !== undefined) return whole
  if (protocol === "converse") return conversed(lines)
  const stream = protocol === "invoke" ? lines.map((line) => `data: ${line}\n\n`).join("") : bytes.toString()
  const words = (
    { messages: "messages", invoke: "messages", responses: "responses", chat_completions: "chat" } as const
  )[protocol]
  return readClient(words, "text/event-stream", stream).final!
}

const ways = ownWays(ownStreams().filter(({ fails }) => fails === undefined))

describe("a documented answer, told whole", () => {
  it.each(ways.filter((way) => isRelayed(way) || way.fixture.ends[way.endpoint] !== undefined))(
    "$name is read as its stream is",
    (told) => {
      const { client, context, endpoint, fixture } = told
      const model = modelNamed(fixture.request.model)
      const bytes = Buffer.from(JSON.stringify(wholeOf(fixture)))
      const way = { endpoint, protocol: fixture.protocol } as Way
      const read = readAnswer({
        way,
        model,
        bytes,
        context,
        limits: limitsOf(model)
      })
      expectCharge(read, fixture)
      if (isRelayed(told)) return assert.strictEqual(Buffer.from(read.bytes).toString(), bytes.toString())
      const { answer, end } = client.readWhole(Buffer.from(read.bytes).toString())
      assert.deepStrictEqual(answer, expected(told))
      assert.strictEqual(end, fixture.ends[endpoint])
    }
  )
})
