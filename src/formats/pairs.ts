/**
 * The one table that says how a call goes from an endpoint to an upstream and back: request, answer, stream, usage, output
 * cap, keep-alive. Nothing else branches on an endpoint or a protocol. The order of an endpoint's rows is the order in
 * which it prefers the protocols that a model's provider speaks. `endpoints.ts` says what holds before there is an upstream.
 */
import { Result } from "effect"
import type { TextEndpoint } from "../domain/call.ts"
import type { Model, TextProtocol } from "../domain/catalogue.ts"
import { chatClient, convertedResponsesClient, messagesClient, responsesClient } from "./clients.ts"
import { chatByResponses } from "./chat-by-responses.ts"
import { needsResponses } from "./chat/way-by-responses.ts"
import { refuseForeignThings } from "./foreign-things.ts"
import { refuseOtherModels } from "./other-models.ts"
import { refusable } from "./json/fields.ts"
import type { JsonObject } from "./json/json.ts"
import { InvokeStreamCodec } from "./convert/invoke-to-messages/InvokeStreamCodec.ts"
import { withModelId } from "./convert/invoke-to-messages/answer.ts"
import { convertedBy } from "./converted.ts"
import type {
  ClientConversion,
  ClientSide,
  Exchange,
  Pair,
  UpstreamConversion,
  UpstreamSide
} from "./Pair.ts"
import { chatUnchanged, messagesUnchanged, requireMember, responsesUnchanged } from "./unchanged.ts"
import {
  chatUpstream,
  converseUpstream,
  invokeUpstream,
  messagesUpstream,
  responsesUpstream
} from "./upstreams.ts"

/** A row without Messages between. The requests that others make can name nothing that is somebody else's. */
const direct = (client: ClientSide, upstream: UpstreamSide, exchange: Exchange): Pair => ({
  ...client,
  ...upstream,
  ...exchange,
  request: (request, options) =>
    Result.flatMap(
      refusable(() => {
        refuseForeignThings(request.parsed)
        refuseOtherModels(request)
      }),
      () => exchange.request(request, options)
    )
})

const converted = (
  client: ClientSide & ClientConversion,
  upstream: UpstreamSide & UpstreamConversion
): Pair => ({ ...client, ...upstream, ...convertedBy(client, upstream) })

export const pairs: Readonly<Record<TextEndpoint, Readonly<Record<TextProtocol, Pair>>>> = {
  messages: {
    messages: direct(messagesClient, messagesUpstream, messagesUnchanged),
    responses: converted(messagesClient, responsesUpstream),
    chat_completions: converted(messagesClient, chatUpstream),
    invoke: {
      ...converted(messagesClient, invokeUpstream),
      // What Claude says on Bedrock stays byte for byte, but for the names of the model and of tools.
      answer: (answer, bytes, { modelId, toolNames }) =>
        Result.map(requireMember(answer, "content", bytes), () => withModelId(bytes, modelId, toolNames)),
      stream: ({ modelId, toolNames }) => new InvokeStreamCodec(modelId, toolNames)
    },
    converse: converted(messagesClient, converseUpstream)
  },
  chat_completions: {
    chat_completions: {
      ...direct(chatClient, chatUpstream, chatUnchanged),
      instead: (body, { upstream }) =>
        upstream.refuses.has("tools_with_reasoning") && needsResponses(body) ? "responses" : undefined
    },
    responses: direct(chatClient, responsesUpstream, chatByResponses),
    messages: converted(chatClient, messagesUpstream),
    invoke: converted(chatClient, invokeUpstream),
    converse: converted(chatClient, converseUpstream)
  },
  responses: {
    responses: direct(responsesClient, responsesUpstream, responsesUnchanged),
    messages: converted(convertedResponsesClient, messagesUpstream),
    chat_completions: converted(convertedResponsesClient, chatUpstream),
    invoke: converted(convertedResponsesClient, invokeUpstream),
    converse: converted(convertedResponsesClient, converseUpstream)
  }
}

/** The name of a row: plain data, so that it crosses threads. */
export interface Way {
  readonly endpoint: TextEndpoint
  readonly protocol: TextProtocol
}

export const pairOf = ({ endpoint, protocol }: Way): Pair => pairs[endpoint][protocol]

/** The way of an endpoint's calls to a model; `undefined` where its provider speaks no protocol for text. */
export const wayTo = (endpoint: TextEndpoint, { upstream }: Model): Way | undefined => {
  const protocol = preferred[endpoint].find((each) => upstream.protocols.includes(each))
  return protocol === undefined ? undefined : { endpoint, protocol }
}

/** The way of one call: some calls must go another way to a model than others. */
export const wayOfCall = (way: Way, body: JsonObject, model: Model): Way => {
  const protocol = pairOf(way).instead?.(body, model)
  return protocol === undefined || !model.upstream.protocols.includes(protocol)
    ? way
    : { endpoint: way.endpoint, protocol }
}

const preferred = Object.fromEntries(
  Object.entries(pairs).map(([endpoint, rows]) => [endpoint, Object.keys(rows)])
) as unknown as Readonly<Record<TextEndpoint, ReadonlyArray<TextProtocol>>>
