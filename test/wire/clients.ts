/** The clients of each text endpoint: what the gateway knows of their calls, and what their official SDKs make of a stream. */
import type Anthropic from "@anthropic-ai/sdk"
import type OpenAI from "openai"
import type { Response as OpenAIResponse } from "openai/resources/responses/responses"
import type { TextEndpoint } from "../../src/domain/call.ts"
import type { ConversionContext } from "../../src/formats/convert/conversion.ts"
import { contextFor } from "./models.ts"
import {
  type Answer,
  chatAnswer,
  messagesAnswer,
  readWithAnthropic,
  readWithOpenAI,
  readWithResponses,
  responsesAnswer
} from "./stream-answers.ts"
import { readFrames } from "./stream-runner.ts"
import type { EndpointFamily } from "./tell-error.ts"

export interface Read {
  readonly answer: Answer
  /** The protocol's own word for how it ended. */
  readonly end: string | null | undefined
}

export interface Client {
  readonly family: EndpointFamily
  readonly context: ConversionContext
  readonly read: (stream: string) => Promise<Read>
  readonly readWhole: (body: string) => Read
}

const readMessage = (message: Anthropic.Message): Read => ({
  answer: messagesAnswer(message),
  end: message.stop_reason
})

/** `thinking` is not in the SDK's types. */
const readCompletion = (completion: OpenAI.ChatCompletion, thinking: string): Read => {
  const { finish_reason: end, message } = completion.choices[0]!
  const answer = chatAnswer(completion, [])
  return { answer: { ...answer, text: answer.text + (message.refusal ?? ""), thinking }, end }
}

const readResponse = (response: OpenAIResponse): Read => ({
  answer: responsesAnswer(response),
  end: response.status
})

const echo =
  `"instructions":null,"max_output_tokens":null,"metadata":{},"parallel_tool_calls":true,"temperature":1,
"tool_choice":"auto","tools":[],"top_p":1,"truncation":"disabled","reasoning":{"effort":null,"summary":null},
"text":{"format":{"type":"text"}}`.replaceAll("\n", "")

export const clients: Readonly<Record<TextEndpoint, Client>> = {
  messages: {
    family: "messages",
    context: contextFor(),
    read: async (stream) => readMessage(await readWithAnthropic(stream)),
    readWhole: (body) => readMessage(JSON.parse(body) as Anthropic.Message)
  },
  chat_completions: {
    family: "chat",
    context: contextFor("a-model", { keepsArguments: true }),
    read: async (stream) => {
      const completion = await readWithOpenAI(stream)
      return readCompletion(completion, chatAnswer(completion, readFrames(stream)).thinking)
    },
    readWhole: (body) => {
      const completion = JSON.parse(body) as OpenAI.ChatCompletion
      const message = completion.choices[0]!.message as { readonly reasoning_content?: string }
      return readCompletion(completion, message.reasoning_content ?? "")
    }
  },
  responses: {
    family: "responses",
    context: contextFor("a-model", { tellsRefusals: true, keepsArguments: true, keepsCitations: true, echo }),
    read: async (stream) => readResponse(await readWithResponses(stream)),
    readWhole: (body) => readResponse(JSON.parse(body) as OpenAIResponse)
  }
}
