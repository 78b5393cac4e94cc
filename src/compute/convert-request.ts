/** Which conversions lead from a client's protocol to an upstream's. Messages is the one in the middle. */
import { Result } from "effect"
import type { Model, Protocol } from "../domain/catalogue.ts"
import { type FetchedImages, imageUrls, standInImage } from "../formats/bedrock/image-sources.ts"
import { applyEdits, invokeEdits, spliceEdits } from "../formats/convert/messages-to-invoke/request.ts"
import { isInvoke } from "../formats/bedrock/model-traits.ts"
import { chatRequestToMessages } from "../formats/convert/chat-to-messages/request.ts"
import { messagesRequestToChat } from "../formats/convert/messages-to-chat/request.ts"
import { messagesRequestToConverse } from "../formats/convert/messages-to-converse/request.ts"
import type { ToolNames } from "../formats/convert/tool-names.ts"
import type { InvalidRequest } from "../formats/json/fields.ts"
import type { JsonObject } from "../formats/json/json.ts"
import { wellFormedJson } from "../formats/json/well-formed-json.ts"

export type TextEndpoint = "messages" | "chat_completions" | "responses"

export interface ConvertTask {
  readonly endpoint: TextEndpoint
  readonly model: Model
  /** The one the upstream is spoken to in. */
  readonly protocol: Protocol
  readonly anthropicBeta: string
  /** Images by URL that have been fetched for an upstream which takes bytes only. */
  readonly images?: FetchedImages
}

export interface ConvertedBody {
  readonly body: JsonObject
  readonly bytes: Buffer
  readonly toolNames: ToolNames
  /** Images that were not at hand: others stand in their places. */
  readonly missingImages: ReadonlyArray<string>
}

const noImages: FetchedImages = new Map()

export const convertRequest = (
  parsed: JsonObject,
  task: ConvertTask,
  clientBytes: Buffer
): Result.Result<ConvertedBody, InvalidRequest> => {
  if (task.endpoint === "messages" && task.protocol === "chat_completions") {
    return Result.map(messagesRequestToChat(parsed, task.model), ({ body, toolNames }) =>
      rendered(body, toolNames)
    )
  }
  if (task.endpoint === "messages") return toBedrock(parsed, clientBytes, new Map(), task)
  return Result.flatMap(chatRequestToMessages(parsed, task.model), (messages) =>
    task.protocol === "messages"
      ? Result.succeed(rendered(messages.body, messages.toolNames))
      : toBedrock(messages.body, undefined, messages.toolNames, task)
  )
}

/** `clientBytes` are those of the Messages request where the client sent one: they go up with edits spliced in. */
const toBedrock = (
  messages: JsonObject,
  clientBytes: Buffer | undefined,
  toolNames: ToolNames,
  task: ConvertTask
): Result.Result<ConvertedBody, InvalidRequest> => {
  const fetched = task.images ?? noImages
  const missingImages = imageUrls(messages).filter((url) => !fetched.has(url))
  const images = new Map([...fetched, ...missingImages.map((url) => [url, standInImage] as const)])
  if (isInvoke(task.model)) {
    return Result.map(invokeEdits(messages, task.model, { betas: task.anthropicBeta, images }), (edits) => {
      const body = applyEdits(messages, edits)
      const bytes = clientBytes === undefined ? undefined : spliceEdits(clientBytes, edits)
      return {
        body,
        bytes: bytes ?? Buffer.from(wellFormedJson(body)),
        toolNames: composed(edits.toolNames, toolNames),
        missingImages
      }
    })
  }
  return Result.map(messagesRequestToConverse(messages, task.model, images), (converse) =>
    rendered(converse.body, composed(converse.toolNames, toolNames), missingImages)
  )
}

const rendered = (
  body: JsonObject,
  toolNames: ToolNames,
  missingImages: ReadonlyArray<string> = []
): ConvertedBody => ({
  body,
  bytes: Buffer.from(wellFormedJson(body)),
  toolNames,
  missingImages
})

/** Names that were changed twice are changed back in one step. */
const composed = (outer: ToolNames, inner: ToolNames): ToolNames =>
  new Map([...inner, ...[...outer].map(([sent, name]) => [sent, inner.get(name) ?? name] as const)])
