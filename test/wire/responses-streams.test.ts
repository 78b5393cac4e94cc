/**
 * Every recorded stream of ../shared/fixtures for a Responses client, and those of OpenAI's Responses for the others, as
 * the official SDKs' accumulators read them: text, thoughts, calls and usage are what the provider sent, wherever the
 * bytes were cut.
 */
import { assert, it } from "@effect/vitest"
import type { Response as OpenAIResponse } from "openai/resources/responses/responses"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { pairs } from "../../src/formats/pairs.ts"
import type { StreamCodec } from "../../src/formats/stream/stream-codec.ts"
import { fixtureNames, readStream } from "../formats/bedrock-fixtures.ts"
import { clients } from "./clients.ts"
import { contextFor } from "./models.ts"
import { responsesStreamFault } from "./responses/legal-responses.ts"
import { readClient } from "./responses/read-client.ts"
import {
  type Answer,
  chatAnswer,
  chatSource,
  messagesAnswer,
  messagesSource,
  readWithAnthropic,
  readWithOpenAI,
  readWithResponses,
  responsesAnswer,
  sameWhereverCut,
  recordedStreams
} from "./stream-answers.ts"
import { readFrames, runCodec } from "./stream-runner.ts"
import { describeWith } from "../shared-folder.ts"

const { context } = clients.responses

/** What OpenAI's own last event says. */
const responsesSource = (frames: ReadonlyArray<unknown>): Answer => {
  const events = frames as ReadonlyArray<JsonObject>
  // Some recordings hold the answers of several calls.
  const end = events.findIndex(({ type }) => type === "response.completed" || type === "response.incomplete")
  const response = events[end]!.response as unknown as OpenAIResponse
  const deltas = (type: string) =>
    events
      .slice(0, end)
      .map((event) => (event.type === type ? event.delta : ""))
      .join("")
  const thought = deltas("response.reasoning_text.delta")
  const { input, output, ...answer } = responsesAnswer(response)
  return { ...answer, thinking: answer.thinking + thought, input, output }
}

/** Summaries are told apart by a blank line, and so are messages for a chat client. */
const flat = (answer: Answer): Answer => ({
  ...answer,
  text: answer.text.replaceAll("\n\n", ""),
  thinking: answer.thinking.replaceAll("\n\n", "")
})

const failing = /exception|truncated/
/** Places near the ends of a stream at which it is cut in two. */
const ends = 60

const expectLegal = (text: string) => {
  const { events } = readClient("responses", "text/event-stream", text)
  assert.isUndefined(responsesStreamFault(events))
}

const expectFailed = (text: string) => {
  expectLegal(text)
  const { error, final } = readClient("responses", "text/event-stream", text)
  assert.strictEqual(final?.status, "failed")
  assert.isNull(final?.usage)
  assert.isNotEmpty(error?.code)
}

const forResponses = (
  { bytes, isBroken, name }: ReturnType<typeof recordedStreams>[number],
  make: () => StreamCodec,
  source: () => Answer
) => {
  const text = runCodec(make(), [bytes], "responses")
  it(`${name} converts the same wherever it is cut`, () => sameWhereverCut(bytes, make, "responses", ends))
  if (isBroken) return it(`${name} ends as a failed response`, () => expectFailed(text))
  return it(`${name} reaches a Responses client whole`, async () => {
    expectLegal(text)
    const seen = responsesAnswer(await readWithResponses(text))
    const { input = context.inputEstimate, output = seen.output, ...said } = source()
    // Claude's words for a refusal without an answer stand beside it.
    const told = said.text === "" && name.includes("refusal") ? seen.text : said.text
    assert.deepStrictEqual(seen, { ...said, text: told, input, output })
  })
}

describeWith("fixtures", "recorded streams for a Responses client", () => {
  for (const recorded of recordedStreams("anthropic-messages")) {
    forResponses(
      recorded,
      () => pairs.responses.messages.stream(context),
      () => messagesSource(readFrames(recorded.bytes.toString()))
    )
  }

  for (const recorded of recordedStreams("openai-chat", "openai-compatible")) {
    forResponses(
      recorded,
      () => pairs.responses.chat_completions.stream(context),
      () => chatSource(readFrames(recorded.bytes.toString()))
    )
  }

  for (const [kind, protocol] of [
    ["converse-stream", "converse"],
    ["invoke-stream", "invoke"]
  ] as const)
    for (const name of fixtureNames(kind).filter((one) => !one.endsWith("error-400"))) {
      const bytes = readStream(name)
      const make = () => pairs.responses[protocol].stream(context)
      it(`${name} converts the same wherever it is cut`, () =>
        sameWhereverCut(bytes, make, "responses", ends))
      it(`${name} reaches a Responses client as a Messages client`, async () => {
        const text = runCodec(make(), [bytes], "responses")
        if (failing.test(name)) return expectFailed(text)
        expectLegal(text)
        const other = runCodec(pairs.messages[protocol].stream(context), [bytes], "messages")
        const { thinking, ...said } = messagesAnswer(await readWithAnthropic(other))
        assert.deepStrictEqual(responsesAnswer(await readWithResponses(text)), { thinking, ...said })
      })
    }
})

describeWith("fixtures", "recorded streams of OpenAI's Responses", () => {
  for (const { name, bytes, isBroken } of recordedStreams("openai-responses")) {
    const toMessages = () => pairs.messages.responses.stream(contextFor())
    const toChat = () => pairs.chat_completions.responses.stream(contextFor())
    it(`${name} converts the same wherever it is cut`, () => {
      sameWhereverCut(bytes, toMessages, "messages", ends)
      sameWhereverCut(bytes, toChat, "chat", ends)
    })
    it(`${name} reaches Messages and chat clients whole, or shows that it failed`, async () => {
      const [messages, chat] = [
        runCodec(toMessages(), [bytes], "messages"),
        runCodec(toChat(), [bytes], "chat")
      ]
      if (isBroken) {
        assert.notInclude(messages, "message_stop")
        assert.notInclude(chat, "[DONE]")
        return
      }
      const source = flat(responsesSource(readFrames(bytes.toString())))
      assert.deepStrictEqual(flat(messagesAnswer(await readWithAnthropic(messages))), source)
      const seen = chatAnswer(await readWithOpenAI(chat), readFrames(chat))
      const refusal = (await readWithOpenAI(chat)).choices[0]!.message.refusal ?? ""
      assert.deepStrictEqual(flat({ ...seen, text: seen.text + refusal }), source)
    })
  }
})
