/** Rows whose upstream speaks another protocol than the client: both are spoken by way of Messages. */
import { Result } from "effect"
import { withoutUsage } from "./chat/usage.ts"
import type { ConversionContext } from "./convert/conversion.ts"
import { noToolNames } from "./convert/tool-names.ts"
import type { InvalidRequest } from "./json/fields.ts"
import type { JsonObject } from "./json/json.ts"
import { parseExactJson } from "./json/parse-exact-json.ts"
import type { ClientConversion, ClientSide, Exchange, UpstreamConversion, UpstreamSide } from "./Pair.ts"
import { ConvertingCodec } from "./stream/ConvertingCodec.ts"
import { MessagesWriter } from "./stream/event-writers.ts"
import { WrittenStage } from "./stream/WrittenStage.ts"

/** Of every such row: it writes requests anew, and nothing of its answers is kept. */
export const writtenAnew = {
  parse: parseExactJson,
  leavesTextsUnread: false,
  clientsField: (field) => (shared.has(field) ? field : undefined),
  isStored: () => false,
  stored: () => undefined
} as const satisfies Partial<Exchange>

export const convertedBy = (
  client: ClientSide & ClientConversion,
  upstream: UpstreamSide & UpstreamConversion
): Exchange => ({
  ...writtenAnew,
  request: (request, options) =>
    Result.flatMap(client.toMessages(request, options.model, upstream.dialect), (messages) =>
      Result.mapError(upstream.fromMessages(messages, options), client.inOwnWords ?? identity)
    ),
  answer: (answer, _bytes, context) => {
    const counted = believedAnswer(answer, context)
    const messages = upstream.toMessages?.(counted, context) ?? Result.succeed(counted)
    const told = Result.flatMap(
      messages,
      (message) => client.fromMessages?.(message, behind(upstream, context)) ?? Result.succeed(message)
    )
    return Result.map(told, (body) => Buffer.from(JSON.stringify(body)))
  },
  stream: (context) => {
    const first = upstream.toMessagesEvents?.(context)
    const end = client.writeMessagesEvents?.(behind(upstream, context), first === undefined)
    const particulars = upstream.particulars()
    return end === undefined
      ? new ConvertingCodec(
          upstream.makeReader,
          undefined,
          new WrittenStage(first!, new MessagesWriter()),
          particulars
        )
      : new ConvertingCodec(upstream.makeReader, first, end, particulars)
  }
})

/** An answer with no counts but those that are billed. */
export const believedAnswer = (answer: JsonObject, { isEstimated }: ConversionContext): JsonObject =>
  isEstimated === true ? withoutUsage(answer) : answer

/** Fields that chat and Responses have by one name. What stands inside of one is counted otherwise. */
const shared = new Set(
  (
    "metadata model parallel_tool_calls prompt_cache_key prompt_cache_retention safety_identifier service_tier stream " +
    "temperature tool_choice tools top_p user"
  ).split(" ")
)

const identity = (error: InvalidRequest): InvalidRequest => error

/** Whoever reads the upstream's words gives tools their own names back, and only once. */
const behind = ({ toMessages }: UpstreamConversion, context: ConversionContext): ConversionContext =>
  toMessages === undefined ? context : { ...context, toolNames: noToolNames }
