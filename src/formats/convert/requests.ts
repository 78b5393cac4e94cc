/** A request on its way from a client's words to an upstream's. */
import type { Model } from "../../domain/catalogue.ts"
import type { FetchedImages } from "../images/image-sources.ts"
import type { JsonObject } from "../json/json.ts"
import { scanMembers } from "../json/scan.ts"
import type { ObjectBytes } from "../json/splice.ts"
import { wellFormedJson } from "../json/well-formed-json.ts"
import type { RequestConverted } from "./conversion.ts"
import type { ToolNames } from "./tool-names.ts"

/** A client's request: its bytes, where their outermost members stand, and what they say. */
export interface ClientRequest extends ObjectBytes {
  readonly parsed: JsonObject
}

/** What a conversion needs to know beside the request. */
export interface RequestOptions {
  readonly model: Model
  /** The caller's `anthropic-beta` header, or empty. */
  readonly anthropicBeta: string
  /** Images by URL that have been fetched for an upstream which takes bytes only. */
  readonly images?: FetchedImages
}

/** A request in the words of Messages, on its way to any upstream. */
export interface MessagesRequest {
  readonly body: JsonObject
  /** The names of tools that were changed on the way here. */
  readonly toolNames: ToolNames
  /** Only where the client itself speaks Messages. */
  readonly bytes?: Buffer
  /** What the answer is to be, in chat's own words, where they say more than those of Messages. */
  readonly chatFormat?: JsonObject
}

/** What goes upstream, but for its output cap. */
export interface UpstreamBody extends ObjectBytes {
  readonly body: JsonObject
  readonly toolNames: ToolNames
  /** Images that were not at hand: others stand in their places. */
  readonly missingImages: ReadonlyArray<string>
}

export const upstreamBody = (
  { body, toolNames }: RequestConverted,
  missingImages: ReadonlyArray<string> = []
): UpstreamBody => ({ body, ...objectBytes(Buffer.from(wellFormedJson(body))), toolNames, missingImages })

export const objectBytes = (bytes: Buffer): ObjectBytes => ({ bytes, members: scanMembers(bytes) ?? [] })

/** Names that were changed twice are changed back in one step. */
export const renamedBefore = (
  before: ToolNames,
  { body, toolNames }: RequestConverted
): RequestConverted => ({
  body,
  toolNames: before.size === 0 ? toolNames : composed(toolNames, before)
})

const composed = (outer: ToolNames, inner: ToolNames): ToolNames =>
  new Map([...inner, ...[...outer].map(([sent, name]) => [sent, inner.get(name) ?? name] as const)])
