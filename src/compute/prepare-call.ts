/**
 * Turns a client's body into what goes upstream: checked, converted where the protocols differ, estimated. Pure; runs
 * on gateway threads for small bodies and on codec workers for large ones.
 */
import type { Model, Protocol } from "../domain/catalogue.ts"
import { asksForUsage, requireChatRequest } from "../formats/chat/request.ts"
import { chatTraitsOf } from "../formats/chat/chat-traits.ts"
import { givesFunctions } from "../formats/chat/older-functions.ts"
import { refusable } from "../formats/json/fields.ts"
import { isJsonObject, type JsonObject } from "../formats/json/json.ts"
import { parseExactJson } from "../formats/json/parse-exact-json.ts"
import {
  type Edit,
  editValue,
  type Member,
  removeMembers,
  replaceValue,
  scanMembers,
  splice
} from "../formats/json/splice.ts"
import { requireMessagesRequest } from "../formats/messages/request.ts"
import { requireResponsesRequest } from "../formats/responses/request.ts"
import { isThreaded, referencedIds, type StoredReference } from "../formats/stored-ids.ts"
import { measureInput } from "../tokens/measure-input.ts"
import { convertRequest, type ConvertTask, type TextEndpoint } from "./convert-request.ts"
import { findOutputCap, type OutputCap } from "./output-cap.ts"
import { bufferOf, orRefuse, readBody } from "./read-body.ts"

export interface PrepareTask extends ConvertTask {
  readonly body: Uint8Array
}

/** A call that is ready to be admitted. Plain data: it crosses threads. */
export interface Prepared {
  readonly stream: boolean
  /** The upstream's body, whole but for a cap that the wallet may lower, and for images that are missing. */
  readonly bytes: Uint8Array
  /** URLs of images that must be fetched and the call prepared again, since the upstream takes bytes only. */
  readonly missingImages: ReadonlyArray<string>
  readonly cap: OutputCap
  /** How many answers were asked for; each may be as long as the cap. */
  readonly choices: number
  /** Upper bound of the input, in tokens, for the hold. */
  readonly inputBound: number
  /** Best guess of the input, in tokens, where the upstream gives no count. */
  readonly inputGuess: number
  /** A chat client asked for the chunk with the usage. */
  readonly includeUsage: boolean
  /** A chat client gave `functions`, the older form of tools. */
  readonly givesFunctions: boolean
  /** Stored things of the provider that the call builds upon. */
  readonly referenced: ReadonlyArray<StoredReference>
  /** The answer's id is one that later calls may build upon. */
  readonly isStored: boolean
  readonly toolNames: ReadonlyArray<readonly [sent: string, original: string]>
}

/** Throws `Unprepared`. */
export const prepareCall = (task: PrepareTask): Prepared => {
  const body = bufferOf(task.body)
  const { members, parsed } = readBody(body, isSameProtocol(task) ? JSON.parse : parseExactJson)
  orRefuse(refusable(() => check(task.endpoint, parsed, body, members)))
  const converted = isSameProtocol(task) ? undefined : orRefuse(convertRequest(parsed, task, body))
  const bytes = converted?.bytes ?? splice(body, sameProtocolEdits(task, members, parsed))
  const upstreamMembers = bytes === body ? members : (scanMembers(bytes) ?? [])
  const { bound, guess } = measureInput(parsed, task.model)
  return {
    stream: parsed["stream"] === true,
    bytes,
    missingImages: converted?.missingImages ?? [],
    cap: findOutputCap(task.protocol, task.model, converted?.body ?? parsed, upstreamMembers),
    choices: choicesOf(parsed),
    inputBound: bound,
    inputGuess: guess,
    includeUsage: task.endpoint === "chat_completions" && asksForUsage(parsed),
    givesFunctions: task.endpoint === "chat_completions" && givesFunctions(parsed),
    referenced: orRefuse(refusable(() => referencedIds(parsed, body, members))),
    isStored: task.endpoint === "responses" || (task.endpoint === "messages" && isThreaded(parsed)),
    toolNames: [...(converted?.toolNames ?? [])]
  }
}

export const isSameProtocol = ({
  endpoint,
  protocol
}: {
  readonly endpoint: string
  readonly protocol: Protocol
}) => endpoint === protocol

const check = (
  endpoint: TextEndpoint,
  parsed: JsonObject,
  body: Buffer,
  members: ReadonlyArray<Member>
): void => {
  if (endpoint === "messages") requireMessagesRequest(parsed)
  if (endpoint === "chat_completions") requireChatRequest(parsed)
  if (endpoint === "responses") requireResponsesRequest(body, members)
}

/** The few values that change although the protocol stays: everything else keeps its bytes. */
const sameProtocolEdits = (
  task: PrepareTask,
  members: ReadonlyArray<Member>,
  parsed: JsonObject
): ReadonlyArray<Edit> => {
  const { model } = task.model.upstream
  const isSent = parsed["model"] === model && members.filter(({ name }) => name === "model").length === 1
  // Of a name that is there twice the provider may read the other one.
  const edits = isSent ? [] : replaceValue(members, "model", JSON.stringify(model))
  return task.endpoint === "chat_completions" ? [...edits, ...usageEdits(task.model, members, parsed)] : edits
}

const usageEdits = (
  model: Model,
  members: ReadonlyArray<Member>,
  parsed: JsonObject
): ReadonlyArray<Edit> => {
  if (chatTraitsOf(model).usageUnasked) return removeMembers(members, ({ name }) => name === "stream_options")
  return parsed["stream"] === true && !asksForUsage(parsed) ? [askForUsage(members, parsed)] : []
}

/** Streams are billed by the upstream's own count, so it is asked for wherever it does not come by itself. */
const askForUsage = (members: ReadonlyArray<Member>, parsed: JsonObject): Edit => {
  const options = isJsonObject(parsed["stream_options"]) ? parsed["stream_options"] : {}
  const text = JSON.stringify({ ...options, include_usage: true })
  const present = members.findLast((member) => member.name === "stream_options")
  if (present !== undefined) return editValue(present, text)
  const stream = members.findLast((member) => member.name === "stream")!
  return { start: stream.valueEnd, end: stream.valueEnd, text: `,"stream_options":${text}` }
}

const choicesMax = 128

const choicesOf = (parsed: JsonObject): number => {
  const asked = parsed["n"]
  return typeof asked === "number" && Number.isInteger(asked) && asked > 1 ? Math.min(asked, choicesMax) : 1
}
