/** What the fuzzing begins with: all of our own of every kind, and all that was recorded where that is at hand. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { TextProtocol } from "../../src/domain/catalogue.ts"
import { EventStreamDecoder } from "../../src/formats/bedrock/event-stream.ts"
import { isJsonObject, type JsonObject } from "../../src/formats/json/json.ts"
import {
  ownRequests as documentedRequests,
  ownStreams as documentedStreams
} from "../fixtures/read-fixtures.ts"
import { ownAnswers, ownRequests, ownStreams } from "./own-corpus.ts"
import { sharedPath } from "../shared-folder.ts"

export type Wire = TextProtocol

export interface Corpus {
  readonly requests: Readonly<
    Record<"messages" | "chat_completions" | "responses", ReadonlyArray<JsonObject>>
  >
  readonly answers: Readonly<Record<Wire, ReadonlyArray<JsonObject>>>
  readonly streams: Readonly<Record<Wire, ReadonlyArray<Buffer>>>
}

const root = sharedPath("fixtures")

/** The events of an AWS stream, by type, so that they can be changed and framed again. */
export const eventsOfFrames = (bytes: Buffer): ReadonlyArray<readonly [type: string, event: JsonObject]> =>
  new EventStreamDecoder().push(bytes).flatMap(({ body, headers }) => {
    const type = headers[":event-type"]?.value
    try {
      const event: unknown = JSON.parse(Buffer.from(body).toString())
      return typeof type === "string" && isJsonObject(event) ? [[type, event] as const] : []
    } catch {
      return []
    }
  })

const wireOf = (path: string): Wire => {
  if (path.includes("/invoke-")) return "invoke"
  if (path.includes("/bedrock/")) return "converse"
  if (path.includes("/anthropic-messages/")) return "messages"
  return path.includes("/openai-responses/") ? "responses" : "chat_completions"
}

const requestKind = (url: string): keyof Corpus["requests"] | undefined => {
  if (url.includes("/messages")) return "messages"
  if (url.includes("/chat/completions")) return "chat_completions"
  return url.includes("/responses") ? "responses" : undefined
}

export const readCorpus = (): Corpus => {
  const copied = <A>(lists: Readonly<Record<string, ReadonlyArray<A>>>): Record<string, Array<A>> =>
    Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list]]))
  const corpus = { requests: copied(ownRequests), answers: copied(ownAnswers) }
  const streams = copied(ownStreams)
  corpus.answers["invoke"] = [...ownAnswers.messages]
  for (const { endpoint, request } of documentedRequests()) corpus.requests[endpoint]!.push(request)
  for (const { bytes, protocol, request, whole } of documentedStreams()) {
    corpus.requests[protocol === "converse" || protocol === "invoke" ? "messages" : protocol]!.push(request)
    streams[protocol]!.push(bytes)
    if (whole !== undefined) corpus.answers[protocol]!.push(whole)
  }
  for (const path of existsSync(root) ? globSync(`${root}/*/*.json`).toSorted() : []) {
    const fixture = JSON.parse(readFileSync(path, "utf8"))
    const { request, response } = fixture
    const kind = requestKind(String(request?.url ?? ""))
    if (kind !== undefined && isJsonObject(request?.body)) corpus.requests[kind]!.push(request.body)
    if (path.includes("/images/") || response === undefined) continue
    if (isJsonObject(response.body)) corpus.answers[wireOf(path)]!.push(response.body)
    if (typeof response.body_file !== "string") continue
    const file = readFileSync(join(dirname(path), response.body_file))
    streams[wireOf(path)]!.push(
      response.body_file.endsWith(".b64") ? Buffer.from(file.toString(), "base64") : file
    )
  }
  return { ...corpus, streams } as unknown as Corpus
}
