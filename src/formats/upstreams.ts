/** What each upstream's protocol is, whatever client its answers go to. */
import { Result } from "effect"
import { BedrockEventReader, InvokeEventReader } from "./bedrock/stream-events.ts"
import { usageOfConverse } from "./bedrock/usage.ts"
import { chatUsage } from "./chat/usage.ts"
import { chatResponseToMessages } from "./convert/chat-to-messages/answer.ts"
import { ChatStreamToMessages } from "./convert/chat-to-messages/ChatStreamToMessages.ts"
import { converseResponseToMessages } from "./convert/converse-to-messages/answer.ts"
import { ConverseStreamToMessages } from "./convert/converse-to-messages/ConverseStreamToMessages.ts"
import { messagesRequestToChat } from "./convert/messages-to-chat/request.ts"
import { toConverse } from "./convert/messages-to-converse/to-converse.ts"
import { toInvoke } from "./convert/messages-to-invoke/to-invoke.ts"
import { renamedBefore, upstreamBody } from "./convert/requests.ts"
import { messagesUsage } from "./messages/usage.ts"
import { chatCap, converseCap, messagesCap, responsesCap } from "./output-cap.ts"
import type { UpstreamConversion, UpstreamSide } from "./Pair.ts"
import { responsesUsage } from "./responses/read-response.ts"
import { SseEventReader } from "./stream/event-reader.ts"
import {
  bearerAddress,
  converseAddress,
  invokeAddress,
  messagesAddress,
  responsesAddress
} from "./upstream-address.ts"

export const messagesUpstream: UpstreamSide & UpstreamConversion = {
  address: messagesAddress,
  outputCap: messagesCap,
  usage: messagesUsage,
  fromMessages: ({ body, toolNames }) => Result.succeed(upstreamBody({ body, toolNames })),
  makeReader: () => new SseEventReader()
}

const chatAddress = bearerAddress("/chat/completions")

export const chatUpstream: UpstreamSide & UpstreamConversion = {
  address: () => chatAddress,
  outputCap: chatCap,
  usage: chatUsage,
  fromMessages: ({ body, toolNames }, { model }) =>
    Result.map(messagesRequestToChat(body, model), (chat) => upstreamBody(renamedBefore(toolNames, chat))),
  toMessages: chatResponseToMessages,
  makeReader: () => new SseEventReader(),
  toMessagesEvents: (context) => new ChatStreamToMessages(context)
}

export const responsesUpstream: UpstreamSide = {
  address: responsesAddress,
  outputCap: responsesCap,
  usage: responsesUsage
}

/** Claude on AWS: its own protocol inside Bedrock's frames. */
export const invokeUpstream: UpstreamSide & UpstreamConversion = {
  address: invokeAddress,
  outputCap: messagesCap,
  usage: messagesUsage,
  fromMessages: toInvoke,
  makeReader: () => new InvokeEventReader()
}

/** All other models on AWS. */
export const converseUpstream: UpstreamSide & UpstreamConversion = {
  address: converseAddress,
  outputCap: converseCap,
  usage: (answer) => messagesUsage({ usage: usageOfConverse(answer["usage"]) ?? null }),
  readable: converseResponseToMessages,
  fromMessages: toConverse,
  toMessages: converseResponseToMessages,
  makeReader: () => new BedrockEventReader(),
  toMessagesEvents: (context) => new ConverseStreamToMessages(context)
}
