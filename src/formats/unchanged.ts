/** Rows whose upstream speaks the client's own protocol: the bytes stay as they are, but for the few values that change. */
import { Result } from "effect"
import type { Model } from "../domain/catalogue.ts"
import { ChatPassthrough } from "./chat/ChatPassthrough.ts"
import { isBrokenFinish } from "./chat/broken-finish.ts"
import { chatTraitsOf } from "./chat/chat-traits.ts"
import { saysIncludeUsage } from "./chat/request.ts"
import { chatCuts, messagesCuts, responsesCuts } from "./cut-marks.ts"
import { type StreamFailure, brokenOff, unreadable } from "./errors/stream-failure.ts"
import type { ClientRequest, RequestOptions, UpstreamBody } from "./convert/requests.ts"
import { answerWithCustomCalls } from "./convert/custom-tools/answer.ts"
import { CustomCallsPassthrough } from "./convert/custom-tools/CustomCallsPassthrough.ts"
import { customToolsAsFunctions, hasUnknownCustomTools } from "./convert/custom-tools/request.ts"
import { noToolNames } from "./convert/tool-names.ts"
import { type JsonObject, objectOf, objectsOf } from "./json/json.ts"
import { type Member, memberNamed } from "./json/scan.ts"
import { type Edit, editValue, removeMembers, replaceValue, spliceObject } from "./json/splice.ts"
import { MessagesPassthrough } from "./messages/MessagesPassthrough.ts"
import type { Exchange } from "./Pair.ts"
import { responseFailure, storedResponse } from "./responses/read-response.ts"
import { ResponsesPassthrough } from "./responses/ResponsesPassthrough.ts"
import { isThreaded } from "./stored-ids.ts"

/** Of every such row. */
const inOwnBytes = {
  parse: JSON.parse,
  leavesTextsUnread: true,
  clientsField: (field) => field
} as const satisfies Partial<Exchange>

export const messagesUnchanged: Exchange = {
  ...inOwnBytes,
  request: (request, options) =>
    withEdits(request, [...modelEdits(request, options), ...messagesCuts(request, options.model.family)]),
  answer: (answer, bytes) => requireMember(answer, "content", bytes),
  stream: () => new MessagesPassthrough(),
  isStored: isThreaded,
  stored: ({ id }) => (typeof id === "string" ? { id, itemIds: [] } : undefined)
}

export const chatUnchanged: Exchange = {
  ...inOwnBytes,
  request: (asked, options) => {
    const request = cutFrom(asked, chatCuts(asked, chatTraitsOf(options.model).refusedInMessages))
    const edits = [...modelEdits(request, options), ...usageEdits(request, options.model)]
    if (!hasUnknownCustomTools(request.parsed, options.model)) return withEdits(request, edits)
    return Result.flatMap(customToolsAsFunctions(request, options.model), (custom) =>
      withEdits(request, [...edits, ...custom.edits], custom.toolNames)
    )
  },
  answer: (answer, bytes, { toolNames }) => {
    if (objectsOf(answer.choices).some((choice) => isBrokenFinish(choice.finish_reason)))
      return Result.fail(brokenOff)
    const kept = requireMember(answer, "choices", bytes)
    return toolNames.size === 0 ? kept : Result.flatMap(kept, () => answerWithCustomCalls(answer, toolNames))
  },
  stream: (context) =>
    context.toolNames.size === 0 ? new ChatPassthrough(context) : new CustomCallsPassthrough(context),
  isStored: () => false,
  stored: () => undefined
}

export const responsesUnchanged: Exchange = {
  ...inOwnBytes,
  request: (request, options) =>
    withEdits(request, [...modelEdits(request, options), ...responsesCuts(request)]),
  answer: (answer, bytes) => {
    const failure = responseFailure(answer)
    return failure === undefined ? Result.succeed(bytes) : Result.fail(failure)
  },
  stream: () => new ResponsesPassthrough(),
  isStored: () => true,
  stored: storedResponse
}

/** What has not even this is no answer of its protocol, whatever its status says. */
export const requireMember = (
  answer: JsonObject,
  name: "choices" | "content",
  bytes: Buffer
): Result.Result<Buffer, StreamFailure> =>
  Array.isArray(answer[name]) ? Result.succeed(bytes) : Result.fail(unreadable)

/** Before all else that changes: tools of a kind that the provider does not know have the messages written anew. */
const cutFrom = (request: ClientRequest, cuts: ReadonlyArray<Edit>): ClientRequest =>
  cuts.length === 0 ? request : { ...request, ...spliceObject(request, cuts) }

const withEdits = (
  request: ClientRequest,
  edits: ReadonlyArray<Edit>,
  toolNames = noToolNames
): Result.Result<UpstreamBody, never> =>
  Result.succeed({
    body: request.parsed,
    ...spliceObject(request, edits),
    toolNames,
    missingFiles: noFiles
  })

const noFiles: UpstreamBody["missingFiles"] = []

const modelEdits = (
  { members, parsed }: ClientRequest,
  { model: { upstream } }: RequestOptions
): ReadonlyArray<Edit> =>
  parsed.model === upstream.model ? [] : replaceValue(members, "model", JSON.stringify(upstream.model))

const usageEdits = ({ members, parsed }: ClientRequest, model: Model): ReadonlyArray<Edit> => {
  if (chatTraitsOf(model).usageUnasked) return removeMembers(members, ({ name }) => name === "stream_options")
  return parsed.stream === true && !saysIncludeUsage(parsed) ? [askForUsage(members, parsed)] : []
}

/** Streams are billed by the upstream's own count, so it is asked for wherever it does not come by itself. */
const askForUsage = (members: ReadonlyArray<Member>, parsed: JsonObject): Edit => {
  const options = objectOf(parsed.stream_options)
  const text = JSON.stringify({ ...options, include_usage: true })
  const present = memberNamed(members, "stream_options")
  if (present !== undefined) return editValue(present, text)
  const stream = memberNamed(members, "stream")!
  return { start: stream.valueEnd, end: stream.valueEnd, text: `,"stream_options":${text}` }
}
