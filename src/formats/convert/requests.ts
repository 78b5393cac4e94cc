/** A request on its way from a client's words to an upstream's. */
import type { Model } from "../../domain/catalogue.ts"
import type { FetchedFiles, FileAddress } from "../images/file-sources.ts"
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
  /** Files by URL that have been fetched for an upstream which takes bytes only. */
  readonly files?: FetchedFiles
}

/** A request in the words of Messages, on its way to any upstream. */
export interface MessagesRequest {
  readonly body: JsonObject
  /** The names of tools that were changed on the way here. */
  readonly toolNames: ToolNames
  /** Only where the client itself speaks Messages. */
  readonly client?: ObjectBytes
  /** What the answer is to be, in chat's own words, where they say more than those of Messages. */
  readonly chatFormat?: JsonObject
}

/** What goes upstream, but for its output cap. */
export interface UpstreamBody extends ObjectBytes {
  readonly body: JsonObject
  readonly toolNames: ToolNames
  /** Files that were not at hand: others stand in their places. */
  readonly missingFiles: ReadonlyArray<FileAddress>
}

export const upstreamBody = (
  { body, toolNames }: RequestConverted,
  missingFiles: ReadonlyArray<FileAddress> = []
): UpstreamBody => ({ body, ...objectBytes(Buffer.from(wellFormedJson(body))), toolNames, missingFiles })

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
