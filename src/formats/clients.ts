/** What each client's protocol is, whatever upstream its calls go to. */
import { Result } from "effect"
import { asksForUsage, requireChatRequest } from "./chat/request.ts"
import { givesFunctions } from "./chat/older-functions.ts"
import { chatRequestToMessages } from "./convert/chat-to-messages/request.ts"
import { messagesResponseToChat } from "./convert/messages-to-chat/answer.ts"
import { MessagesStreamToChat } from "./convert/messages-to-chat/MessagesStreamToChat.ts"
import { noToolNames } from "./convert/tool-names.ts"
import { requireMessagesRequest } from "./messages/request.ts"
import type { AskedOfAnswer, ClientConversion, ClientSide } from "./Pair.ts"
import { requireResponsesRequest } from "./responses/request.ts"
import { chatWriter, messagesWriter } from "./stream/event-writers.ts"

const nothingAsked: AskedOfAnswer = { includeUsage: false, givesFunctions: false }

export const messagesClient: ClientSide & ClientConversion = {
  requireRequest: ({ parsed }) => requireMessagesRequest(parsed),
  asked: () => nothingAsked,
  keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
  toMessages: ({ bytes, parsed }) => Result.succeed({ body: parsed, toolNames: noToolNames, bytes }),
  makeWriter: () => messagesWriter
}

export const chatClient: ClientSide & ClientConversion = {
  requireRequest: ({ parsed }) => requireChatRequest(parsed),
  asked: (body) => ({ includeUsage: asksForUsage(body), givesFunctions: givesFunctions(body) }),
  keepAlive: ": keep-alive\n",
  toMessages: ({ parsed }, model) => chatRequestToMessages(parsed, model),
  fromMessages: messagesResponseToChat,
  fromMessagesEvents: (context) => new MessagesStreamToChat(context),
  makeWriter: () => chatWriter
}

export const responsesClient: ClientSide = {
  requireRequest: ({ bytes, members }) => requireResponsesRequest(bytes, members),
  asked: () => nothingAsked,
  keepAlive: undefined
}
