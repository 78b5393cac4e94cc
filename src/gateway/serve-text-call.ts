/** A call to a text model: Messages, chat completions or Responses. Its steps in order. */
import { Effect } from "effect"
import type { PrepareTask } from "../compute/prepare-call.ts"
import { bufferOf, freeBytes } from "../compute/share-bytes.ts"
import type { TextEndpoint } from "../domain/call.ts"
import type { Model } from "../domain/catalogue.ts"
import { splice } from "../formats/json/splice.ts"
import { capEdits } from "../formats/output-cap.ts"
import { pairOf, type Way, wayTo } from "../formats/pairs.ts"
import type { UpstreamAnswer } from "../upstream/UpstreamCall.ts"
import { admitText } from "./admit-text.ts"
import type { IdentifiedCall } from "./Call.ts"
import { type CallError, invalidRequest } from "./CallError.ts"
import { forward, type Outgoing, providerOf } from "./forward.ts"
import type { GatewayShape } from "./Gateway.ts"
import { openStream } from "./open-stream.ts"
import { fillInFiles, prepareText } from "./prepare-text.ts"
import { readBody } from "./read-body.ts"
import { relayStream } from "./relay-stream.ts"
import { relayWhole } from "./relay-whole.ts"
import { resolveModel } from "./resolve-model.ts"
import type { TextCall } from "./TextCall.ts"

/** What is left to be done once it is sent holds nothing of the request's body, which may have megabytes and wait for minutes. */
export const serveTextCall = (endpoint: TextEndpoint) => {
  const sent = send(endpoint)
  return (gateway: GatewayShape, arrived: IdentifiedCall) => Effect.flatten(sent(gateway, arrived))
}

// @effect-diagnostics returnEffectInGen:off
const send = (endpoint: TextEndpoint) =>
  Effect.fnUntraced(function* (gateway: GatewayShape, arrived: IdentifiedCall) {
    const body = yield* readBody(gateway, arrived)
    const call = yield* resolveModel(gateway, arrived, body)
    const { model } = call
    const way = yield* chooseWay(endpoint, model)
    const provider = yield* providerOf(gateway, model)
    const { anthropicBeta } = call.client.headers
    const task: PrepareTask = { way, body, model, anthropicBeta }
    const checked = yield* prepareText(gateway, call, task)
    const admitted = yield* admitText(gateway, call, checked)
    // Nothing is fetched for a wallet that can not pay.
    const { bytes, ...prepared } = yield* fillInFiles(gateway, call, task, checked)
    // What goes up is a copy of its own, mostly.
    if (bytes.buffer !== body.buffer) freeBytes(body)
    const text: TextCall = { call, provider, prepared, admitted }
    const outgoing = outgoingOf(text, bytes)
    if (!prepared.stream) {
      const answer = yield* forward(gateway, call, outgoing)
      freeSent(text, outgoing, answer)
      return relayWhole(gateway, text, answer)
    }
    const opened = yield* openStream(gateway, text, outgoing)
    if (opened === undefined) return Effect.void
    freeSent(text, outgoing, opened.answer)
    return relayStream(gateway, text, opened)
  })

const chooseWay = (endpoint: TextEndpoint, model: Model): Effect.Effect<Way, CallError> => {
  const way = wayTo(endpoint, model)
  return way === undefined
    ? Effect.fail(invalidRequest(`${model.id} is not served on this path.`, "model"))
    : Effect.succeed(way)
}

const outgoingOf = ({ admitted, call, prepared, provider }: TextCall, bytes: Uint8Array): Outgoing => {
  const { headers, query } = call.client
  const { stream } = prepared
  const pair = pairOf(prepared.way)
  return {
    provider,
    model: call.model.upstream.model,
    address: pair.address({ ...headers, query, stream }),
    body: splice(bufferOf(bytes), capEdits(prepared.cap, admitted.cap)),
    contentType: "application/json",
    stream,
    readWhole: !stream,
    clientsField: pair.clientsField
  }
}

/** A connection that was given up may still be reading from it. */
const freeSent = ({ call }: TextCall, { body }: Outgoing, { exchange }: UpstreamAnswer): void => {
  if (call.attempts.length === 1 && exchange.hasSentAll) freeBytes(body)
}
