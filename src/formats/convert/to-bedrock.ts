/** A Messages request as Bedrock takes it, by InvokeModel or Converse: images as bytes, wherever they were given by URL. */
import { Result } from "effect"
import { type FetchedImages, imageUrls, standInImage } from "../bedrock/image-sources.ts"
import type { InvalidRequest } from "../json/fields.ts"
import type { JsonObject } from "../json/json.ts"
import { wellFormedJson } from "../json/well-formed-json.ts"
import type { MessagesRequest, RequestOptions, UpstreamBody } from "../Pair.ts"
import { messagesRequestToConverse } from "./messages-to-converse/request.ts"
import { applyEdits, invokeEdits, spliceEdits } from "./messages-to-invoke/request.ts"
import { renamedBefore, upstreamBody } from "./upstream-body.ts"

/** The bytes of a client that speaks Messages go up with edits spliced in. */
export const toInvoke = (
  { body: messages, bytes: clientBytes, toolNames: before }: MessagesRequest,
  { anthropicBeta, images: fetched, model }: RequestOptions
): Result.Result<UpstreamBody, InvalidRequest> => {
  const { images, missing } = imagesOf(messages, fetched)
  return Result.map(invokeEdits(messages, model, { betas: anthropicBeta, images }), (edits) => {
    const edited = { body: applyEdits(messages, edits), toolNames: edits.toolNames }
    const { body, toolNames } = renamedBefore(before, edited)
    const spliced = clientBytes === undefined ? undefined : spliceEdits(clientBytes, edits)
    return { body, bytes: spliced ?? Buffer.from(wellFormedJson(body)), toolNames, missingImages: missing }
  })
}

export const toConverse = (
  { body: messages, toolNames: before }: MessagesRequest,
  { images: fetched, model }: RequestOptions
): Result.Result<UpstreamBody, InvalidRequest> => {
  const { images, missing } = imagesOf(messages, fetched)
  return Result.map(messagesRequestToConverse(messages, model, images), (converse) =>
    upstreamBody(renamedBefore(before, converse), missing)
  )
}

const noImages: FetchedImages = new Map()

/** What is not at hand is converted with another image in its place, so that all else can be checked. */
const imagesOf = (messages: JsonObject, fetched: FetchedImages = noImages) => {
  const missing = imageUrls(messages).filter((url) => !fetched.has(url))
  if (missing.length === 0) return { images: fetched, missing }
  return { images: new Map([...fetched, ...missing.map((url) => [url, standInImage] as const)]), missing }
}
