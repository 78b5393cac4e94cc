/** What each upstream's protocol is, whatever client its answers go to. */
import { Result } from "effect"
import { BedrockEventReader, InvokeEventReader } from "./bedrock/stream-events.ts"
import { inputOfConverse, usageOfConverse } from "./bedrock/usage.ts"
import { chatInput, chatUsage } from "./chat/usage.ts"
import { chatResponseToMessages } from "./convert/chat-to-messages/answer.ts"
import { ChatStreamToMessages } from "./convert/chat-to-messages/ChatStreamToMessages.ts"
import { asksForAnswerCall } from "./convert/converse-to-messages/answer-call.ts"
import { AnswerCallToText } from "./convert/converse-to-messages/AnswerCallToText.ts"
import {
  converseAnswerToMessages,
  converseResponseToMessages
} from "./convert/converse-to-messages/answer.ts"
import { ConverseStreamToMessages } from "./convert/converse-to-messages/ConverseStreamToMessages.ts"
import { toChat } from "./convert/messages-to-chat/to-chat.ts"
import { forChat, forConverse, forMessages } from "./convert/messages-dialect.ts"
import { toConverse } from "./convert/messages-to-converse/to-converse.ts"
import { toInvoke } from "./convert/messages-to-invoke/to-invoke.ts"
import { renamedBefore, upstreamBody } from "./convert/requests.ts"
import { messagesRequestToResponses } from "./convert/messages-to-responses/request.ts"
import { responsesResponseToMessages } from "./convert/responses-to-messages/answer.ts"
import { ResponsesStreamToMessages } from "./convert/responses-to-messages/ResponsesStreamToMessages.ts"
import { messagesInput, messagesUsage } from "./messages/usage.ts"
import { chatCap, converseCap, messagesCap, responsesCap } from "./output-cap.ts"
import { chatPieces } from "./chat/piece-form.ts"
import { messagesPieces } from "./messages/piece-form.ts"
import { responsesPieces } from "./responses/piece-form.ts"
import { ChatParticulars } from "./chat/ChatParticulars.ts"
import { ConverseParticulars } from "./bedrock/ConverseParticulars.ts"
import { MessagesParticulars } from "./messages/MessagesParticulars.ts"
import { ResponsesParticulars } from "./responses/ResponsesParticulars.ts"
import { readToldAgain } from "./responses/told-again.ts"
import type { UpstreamConversion, UpstreamSide } from "./Pair.ts"
import { responsesInput, responsesUsage } from "./responses/usage.ts"
import { SseEventReader } from "./stream/event-reader.ts"
import {
  bearerAddress,
  converseAddress,
  invokeAddress,
  messagesAddress,
  responsesAddress
} from "./upstream-address.ts"

/** Messages wherever it is spoken. */
const inMessages = {
  outputCap: messagesCap,
  standardTier: "standard_only",
  usage: messagesUsage,
  inputTold: messagesInput,
  particulars: () => new MessagesParticulars(),
  dialect: forMessages
} as const satisfies Partial<UpstreamSide & UpstreamConversion>

export const messagesUpstream: UpstreamSide & UpstreamConversion = {
  ...inMessages,
  address: messagesAddress,
  fromMessages: ({ body, toolNames }) => Result.succeed(upstreamBody({ body, toolNames })),
  makeReader: (sink) => new SseEventReader(sink, messagesPieces)
}

const chatAddress = bearerAddress("/chat/completions")

export const chatUpstream: UpstreamSide & UpstreamConversion = {
  address: () => chatAddress,
  outputCap: chatCap,
  standardTier: "default",
  usage: chatUsage,
  inputTold: chatInput,
  particulars: () => new ChatParticulars(),
  dialect: forChat,
  fromMessages: toChat,
  toMessages: chatResponseToMessages,
  makeReader: (sink) => new SseEventReader(sink, chatPieces),
  toMessagesEvents: (context) => new ChatStreamToMessages(context)
}

export const responsesUpstream: UpstreamSide & UpstreamConversion = {
  address: responsesAddress,
  outputCap: responsesCap,
  standardTier: "default",
  usage: responsesUsage,
  inputTold: responsesInput,
  particulars: () => new ResponsesParticulars(),
  dialect: forMessages,
  fromMessages: ({ body, toolNames }, { model }) =>
    Result.map(messagesRequestToResponses(body, model), (responses) =>
      upstreamBody(renamedBefore(toolNames, responses))
    ),
  toMessages: responsesResponseToMessages,
  makeReader: (sink) => new SseEventReader(sink, responsesPieces, readToldAgain),
  toMessagesEvents: (context) => new ResponsesStreamToMessages(context)
}

/** Claude on AWS: its own protocol inside Bedrock's frames. */
export const invokeUpstream: UpstreamSide & UpstreamConversion = {
  ...inMessages,
  address: invokeAddress,
  fromMessages: toInvoke,
  makeReader: (sink) => new InvokeEventReader(sink)
}

/** All other models on AWS. */
export const converseUpstream: UpstreamSide & UpstreamConversion = {
  address: converseAddress,
  outputCap: converseCap,
  standardTier: "standard_only",
  usage: (answer) => messagesUsage({ usage: usageOfConverse(answer.usage) ?? null }),
  inputTold: (answer) => messagesInput({ usage: inputOfConverse(answer.usage) ?? null }),
  particulars: () => new ConverseParticulars(),
  readable: (answer, context) => converseResponseToMessages(answer, { ...context, keepsArguments: true }),
  dialect: forConverse,
  fromMessages: toConverse,
  toMessages: converseAnswerToMessages,
  makeReader: (sink) => new BedrockEventReader(sink),
  toMessagesEvents: (context) => {
    const stage = new ConverseStreamToMessages(context)
    return asksForAnswerCall(context.toolNames) ? new AnswerCallToText(stage) : stage
  }
}
