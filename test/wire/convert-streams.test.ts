/**
 * Every recorded stream of ../shared/fixtures, converted and read by the official SDKs' own accumulators: what the
 * client ends up with equals what the upstream sent, however the bytes were cut.
 */
import { APIError as AnthropicError } from "@anthropic-ai/sdk"
import { assert, it } from "@effect/vitest"
import { APIError as OpenAIError } from "openai"
import { pairs } from "../../src/formats/pairs.ts"
import { contextFor } from "./models.ts"
import {
  chatAnswer,
  chatSource,
  messagesAnswer,
  messagesSource,
  readWithAnthropic,
  readWithOpenAI,
  sameWhereverCut,
  recordedStreams
} from "./stream-answers.ts"
import { readFrames, runCodec } from "./stream-runner.ts"
import { describeWith } from "../shared-folder.ts"

const failureOf = (answer: Promise<unknown>) =>
  answer.then(
    () => assert.fail("it looked complete"),
    (error: unknown) => error
  )

describeWith("fixtures", "recorded streams", () => {
  for (const { name, bytes, isBroken } of recordedStreams("openai-chat", "openai-compatible")) {
    const make = () => pairs.messages.chat_completions.stream(contextFor())
    const text = runCodec(make(), [bytes], "messages")
    it(`C89 ${name} converts the same wherever it is cut`, () => sameWhereverCut(bytes, make, "messages"))
    if (isBroken) {
      it(`C18 C23 ${name} shows a Messages client the failure`, async () => {
        assert.instanceOf(await failureOf(readWithAnthropic(text)), AnthropicError)
        assert.notInclude(text, "message_stop")
      })
    } else {
      it(`${name} reaches a Messages client whole`, async () => {
        const source = chatSource(readFrames(bytes.toString()))
        const seen = messagesAnswer(await readWithAnthropic(text))
        const input = source.input ?? contextFor().inputEstimate
        assert.deepStrictEqual(seen, { ...source, input, output: source.output ?? seen.output })
      })
    }
  }

  for (const { name, bytes, isBroken } of recordedStreams("anthropic-messages")) {
    const make = () => pairs.chat_completions.messages.stream(contextFor())
    const text = runCodec(make(), [bytes], "chat")
    it(`C89 ${name} converts the same wherever it is cut`, () => sameWhereverCut(bytes, make, "chat"))
    if (isBroken) {
      it(`C98 ${name} shows a chat client the failure`, async () => {
        assert.instanceOf(await failureOf(readWithOpenAI(text)), OpenAIError)
        assert.notInclude(text, "[DONE]")
      })
    } else {
      it(`C74 C76 ${name} reaches a chat client whole`, async () => {
        const seen = chatAnswer(await readWithOpenAI(text), readFrames(text))
        assert.deepStrictEqual(seen, messagesSource(readFrames(bytes.toString())))
      })
    }
  }
})
