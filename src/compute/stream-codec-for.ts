/** The codec that stands between an upstream's stream and a client's. */
import type { Model, Protocol } from "../domain/catalogue.ts"
import { isInvoke } from "../formats/bedrock/model-traits.ts"
import {
  converseToChatCodec,
  converseToMessagesCodec,
  invokeToChatCodec,
  invokeToMessagesCodec
} from "../formats/convert/bedrock-stream-codecs.ts"
import type { ConversionContext } from "../formats/convert/conversion.ts"
import { chatToMessagesCodec, messagesToChatCodec } from "../formats/stream/ConvertingCodec.ts"
import { ChatPassthrough } from "../formats/chat/ChatPassthrough.ts"
import { MessagesPassthrough } from "../formats/messages/MessagesPassthrough.ts"
import { ResponsesPassthrough } from "../formats/responses/ResponsesPassthrough.ts"
import type { StreamCodec } from "../formats/stream/stream-codec.ts"
import type { TextEndpoint } from "./convert-request.ts"

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
        ? new ChatPassthrough({ clientAskedForUsage: context.includeUsage, choices: context.choices })
        : chatToMessagesCodec(context)
    default:
      if (isInvoke(model)) return toChat ? invokeToChatCodec(context) : invokeToMessagesCodec(context)
      return toChat
        ? converseToChatCodec({ ...context, toolNames: new Map() }, context.toolNames)
        : converseToMessagesCodec(context)
  }
}
