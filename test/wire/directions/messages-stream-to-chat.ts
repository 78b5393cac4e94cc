import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { pairs } from "../../../src/formats/pairs.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { contextFor } from "../models.ts"
import { type Direction, oracleFolder, type Outcome } from "../oracle-case.ts"
import { inPieces, readFrames, runCodec } from "../stream-runner.ts"

const bytesOf = (input: unknown): Buffer =>
  typeof input === "string"
    ? Buffer.from(input)
    : readFileSync(resolve(oracleFolder, (input as { readonly sse_file: string }).sse_file))

const convert = (chunks: ReadonlyArray<Buffer>) =>
  runCodec(pairs.chat_completions.messages.stream(contextFor()), chunks, "chat")

type Delta = Readonly<Record<string, unknown>>
interface Chunk {
  readonly choices?: ReadonlyArray<{ readonly delta: Delta; readonly finish_reason: unknown }>
  readonly error?: JsonObject
}
const chunksOf = (outcome: Outcome) => outcome.events!.filter((event): event is Chunk => event !== "[DONE]")
const choicesOf = (outcome: Outcome) => chunksOf(outcome).flatMap((chunk) => chunk.choices ?? [])
const joined = (outcome: Outcome, field: string) =>
  choicesOf(outcome)
    .map(({ delta }) => delta[field] ?? "")
    .join("")
const finishReason = (outcome: Outcome) =>
  choicesOf(outcome).find((choice) => choice.finish_reason !== null)?.finish_reason

const endsWell = (outcome: Outcome, reason: string) => {
  assert.strictEqual(finishReason(outcome), reason)
  assert.strictEqual(outcome.events!.at(-1), "[DONE]")
}

type Call = { readonly index: number; readonly id?: string; readonly type?: string; readonly function: Delta }
const callsOf = (outcome: Outcome) =>
  choicesOf(outcome).flatMap(({ delta }) => (delta.tool_calls ?? []) as Array<Call>)

export const direction: Direction = {
  direction: "messages_stream->chat_stream",
  run: ({ input }) => ({ events: readFrames(convert([bytesOf(input)])) }),
  predicates: {
    "mstream-text-ping": (outcome) => {
      assert.isNotEmpty(joined(outcome, "content"))
      assert.notInclude(JSON.stringify(outcome.events), "ping")
      endsWell(outcome, "stop")
    },
    "mstream-tool": (outcome) => {
      const calls = callsOf(outcome)
      const first = (index: number) => calls.find((call) => call.index === index)!
      const pieces = (index: number) =>
        calls.flatMap((call) => (call.index === index ? [call.function.arguments] : [])).join("")
      assert.deepStrictEqual(
        [first(0).id, first(0).type, first(0).function.name],
        ["toolu_1", "function", "get_weather"]
      )
      assert.deepStrictEqual(
        [first(1).id, first(1).type, first(1).function.name],
        ["toolu_2", "function", "now"]
      )
      assert.strictEqual(pieces(0), `{"location": "SF"}`)
      assert.strictEqual(pieces(1), "{}")
      endsWell(outcome, "tool_calls")
    },
    "mstream-thinking": (outcome) => {
      assert.strictEqual(joined(outcome, "content"), "42")
      assert.strictEqual(joined(outcome, "reasoning_content"), "hmm")
      endsWell(outcome, "stop")
    },
    "mstream-error-event": (outcome) => {
      assert.strictEqual(joined(outcome, "content"), "par")
      assert.strictEqual(chunksOf(outcome).at(-1)?.error?.message, "Overloaded")
      assert.property(chunksOf(outcome).at(-1)?.error, "code")
      assert.isUndefined(finishReason(outcome))
      assert.notInclude(outcome.events!, "[DONE]")
    },
    "mstream-refusal": (outcome) => endsWell(outcome, "content_filter"),
    "mstream-split-bytes": (outcome, { input }) => {
      const bytes = bytesOf(input)
      const whole = convert([bytes])
      for (const size of [1, 2, 3, 7, 64, 1_000]) assert.strictEqual(convert(inPieces(bytes, size)), whole)
      assert.notInclude(joined(outcome, "content"), "\ufffd")
    }
  }
}
