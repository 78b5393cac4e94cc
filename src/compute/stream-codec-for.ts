/** The codec that stands between an upstream's stream and a client's. */
import type { Model, Protocol } from "../domain/catalogue.ts"
import { InvokeStreamCodec } from "../formats/bedrock/InvokeStreamCodec.ts"
import { BedrockEventReader, InvokeEventReader } from "../formats/bedrock/stream-events.ts"
import type { ConversionContext } from "../formats/convert/conversion.ts"
import {
  chatToMessagesCodec,
  chatWriter,
  ConvertingCodec,
  messagesToChatCodec,
  messagesWriter
} from "../formats/convert/ConvertingCodec.ts"
import { ConverseStreamToMessages } from "../formats/convert/ConverseStreamToMessages.ts"
import { MessagesStreamToChat } from "../formats/convert/MessagesStreamToChat.ts"
import { ChatPassthrough } from "../formats/passthrough/chat-passthrough.ts"
import { MessagesPassthrough } from "../formats/passthrough/messages-passthrough.ts"
import { ResponsesPassthrough } from "../formats/passthrough/responses-passthrough.ts"
import type { StreamCodec } from "../formats/stream-codec.ts"
import { isInvoke } from "./convert-request.ts"
import type { TextEndpoint } from "./prepare-call.ts"

export const streamCodecFor = (
  endpoint: TextEndpoint,
  protocol: Protocol,
  model: Model,
  context: ConversionContext
): StreamCodec => {
  if (endpoint === "responses") return new ResponsesPassthrough()
  const toChat = endpoint === "chat_completions"
  switch (protocol) {
    case "messages":
      return toChat ? messagesToChatCodec(context) : new MessagesPassthrough()
    case "chat_completions":
      return toChat
        ? new ChatPassthrough({ clientAskedForUsage: context.includeUsage })
        : chatToMessagesCodec(context)
    default:
      return isInvoke(model) ? invokeCodec(toChat, context) : converseCodec(toChat, context)
  }
}

const invokeCodec = (toChat: boolean, context: ConversionContext): StreamCodec =>
  toChat
    ? new ConvertingCodec(new InvokeEventReader(), [new MessagesStreamToChat(context)], chatWriter)
    : new InvokeStreamCodec(context.modelId)

const converseCodec = (toChat: boolean, context: ConversionContext): StreamCodec => {
  const messages = new ConverseStreamToMessages(context)
  return toChat
    ? new ConvertingCodec(new BedrockEventReader(), [messages, new MessagesStreamToChat(context)], chatWriter)
    : new ConvertingCodec(new BedrockEventReader(), [messages], messagesWriter)
}
