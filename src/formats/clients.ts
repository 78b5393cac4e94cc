/** What each client's protocol is, whatever upstream its calls go to. */
import { Result } from "effect"
import { asksForUsage, requireChatRequest } from "./chat/request.ts"
import { givesFunctions } from "./chat/older-functions.ts"
import { chatRequestToMessages, inChatWords } from "./convert/chat-to-messages/request.ts"
import { messagesResponseToChat } from "./convert/messages-to-chat/answer.ts"
import { chunkWriter } from "./convert/messages-to-chat/chunks.ts"
import { MessagesStreamToChat } from "./convert/messages-to-chat/MessagesStreamToChat.ts"
import { noToolNames } from "./convert/tool-names.ts"
import { requireMessagesRequest } from "./messages/request.ts"
import type { AskedOfAnswer } from "./convert/conversion.ts"
import type { ClientConversion, ClientSide } from "./Pair.ts"
import { messagesResponseToResponses } from "./convert/messages-to-responses/answer.ts"
import {
  MessagesStreamToResponses,
  secondsNow
} from "./convert/messages-to-responses/MessagesStreamToResponses.ts"
import { inResponsesWords } from "./convert/responses-to-messages/request.ts"
import { responsesToMessages } from "./convert/responses-to-messages/to-messages.ts"
import { asksForOneCall } from "./one-call.ts"
import { onlyStopOf } from "./messages/asked-stops.ts"
import { askedThinkingOf } from "./messages/asked-thinking.ts"
import { echoOf } from "./responses/echo.ts"
import { keepsNothing, requireResponsesRequest } from "./responses/request.ts"
import { WrittenStage } from "./stream/WrittenStage.ts"

const nothingAsked: AskedOfAnswer = {
  includeUsage: false,
  givesFunctions: false,
  oneCall: false,
  thinking: "none",
  tellsRefusals: false,
  keepsArguments: false,
  keepsCitations: false,
  onlyStop: null,
  echo: ""
}

export const messagesClient: ClientSide & ClientConversion = {
  requireRequest: ({ parsed }) => requireMessagesRequest(parsed),
  asked: ({ parsed }) => ({
    ...nothingAsked,
    oneCall: asksForOneCall(parsed),
    thinking: askedThinkingOf(parsed),
    onlyStop: onlyStopOf(parsed)
  }),
  keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
  toMessages: (client) => Result.succeed({ body: client.parsed, toolNames: noToolNames, client })
}

export const chatClient: ClientSide & ClientConversion = {
  requireRequest: ({ parsed }) => requireChatRequest(parsed),
  asked: ({ parsed }) => ({
    ...nothingAsked,
    includeUsage: asksForUsage(parsed),
    oneCall: asksForOneCall(parsed),
    keepsArguments: true,
    givesFunctions: givesFunctions(parsed)
  }),
  keepAlive: ": keep-alive\n",
  toMessages: ({ parsed }, model, { goesOn }) => chatRequestToMessages(parsed, model, goesOn),
  inOwnWords: inChatWords,
  fromMessages: messagesResponseToChat,
  writeMessagesEvents: (context, weighs) =>
    new WrittenStage(new MessagesStreamToChat(context, weighs), chunkWriter(context))
}

export const responsesClient: ClientSide = {
  requireRequest: ({ bytes, members }) => requireResponsesRequest(bytes, members),
  asked: () => nothingAsked,
  keepAlive: undefined
}

/** Whose answers are written here. */
export const convertedResponsesClient: ClientSide & ClientConversion = {
  ...responsesClient,
  requireRequest: ({ bytes, members }) => requireResponsesRequest(bytes, members, keepsNothing),
  asked: ({ bytes, members, parsed }) => ({
    ...nothingAsked,
    oneCall: asksForOneCall(parsed),
    thinking: "shown",
    tellsRefusals: true,
    keepsArguments: true,
    keepsCitations: true,
    echo: echoOf(bytes, members, parsed)
  }),
  toMessages: ({ parsed }, model, dialect) => responsesToMessages(parsed, model, dialect),
  inOwnWords: inResponsesWords,
  fromMessages: messagesResponseToResponses,
  writeMessagesEvents: (context, weighs) => new MessagesStreamToResponses(context, secondsNow, weighs)
}
