/** The stream codecs of calls to Bedrock: Claude by InvokeModel, the others by Converse, for clients of both protocols. */
import type { ConversionContext } from "./conversion.ts"
import { ConverseStreamToMessages } from "./converse-to-messages/ConverseStreamToMessages.ts"
import { chatWriter, ConvertingCodec, messagesWriter } from "../stream/ConvertingCodec.ts"
import { MessagesStreamToChat } from "./messages-to-chat/MessagesStreamToChat.ts"
import type { ToolNames } from "./tool-names.ts"
import type { StreamCodec } from "../stream/stream-codec.ts"
import { InvokeStreamCodec } from "./invoke-to-messages/InvokeStreamCodec.ts"
import { BedrockEventReader, InvokeEventReader } from "../bedrock/stream-events.ts"

export const invokeToMessagesCodec = (context: ConversionContext): StreamCodec =>
  new InvokeStreamCodec(context.modelId, context.toolNames)

export const invokeToChatCodec = (context: ConversionContext): StreamCodec =>
  new ConvertingCodec(new InvokeEventReader(), [new MessagesStreamToChat(context)], chatWriter)

export const converseToMessagesCodec = (context: ConversionContext): StreamCodec =>
  new ConvertingCodec(new BedrockEventReader(), [new ConverseStreamToMessages(context)], messagesWriter)

/** `converseNames` are the tool names changed on the way to Converse; the context's, those changed before. */
export const converseToChatCodec = (context: ConversionContext, converseNames: ToolNames): StreamCodec =>
  new ConvertingCodec(
    new BedrockEventReader(),
    [
      new ConverseStreamToMessages({ ...context, toolNames: converseNames }),
      new MessagesStreamToChat(context)
    ],
    chatWriter
  )
