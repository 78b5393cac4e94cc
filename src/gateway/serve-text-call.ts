/** A call to a text model: Messages, chat completions or Responses. Its steps in order. */
import { Effect } from "effect"
import type { TextEndpoint } from "../compute/convert-request.ts"
import { capEdits } from "../compute/output-cap.ts"
import type { PrepareTask } from "../compute/prepare-call.ts"
import { bufferOf } from "../compute/read-body.ts"
import type { Model, Protocol } from "../domain/catalogue.ts"
import { isInvoke } from "../formats/bedrock/model-traits.ts"
import { splice } from "../formats/json/splice.ts"
import type { BedrockOperation } from "../upstream/sign-bedrock.ts"
import { admitText } from "./admit-text.ts"
import type { Call } from "./Call.ts"
import { invalidRequest } from "./CallError.ts"
import { forward, type Outgoing, providerOf } from "./forward.ts"
import type { GatewayShape } from "./Gateway.ts"
import { openStream } from "./open-stream.ts"
import { fillInImages, prepareText } from "./prepare-text.ts"
import { readBody } from "./read-body.ts"
import { relayPlain } from "./relay-plain.ts"
import { relayStream } from "./relay-stream.ts"
import { resolveModel } from "./resolve-model.ts"
import type { TextCall } from "./TextCall.ts"

export const serveTextCall = (endpoint: TextEndpoint) =>
  Effect.fnUntraced(function* (gateway: GatewayShape, call: Call) {
    const body = yield* readBody(call, gateway)
    const model = yield* resolveModel(gateway, call, body, endpoint)
    const protocol = yield* chooseProtocol(endpoint, model)
    const provider = yield* providerOf(gateway, model)
    const { anthropicBeta } = call.client.headers
    const task: PrepareTask = { endpoint, body, model, protocol, anthropicBeta }
    const checked = yield* prepareText(gateway, call, task)
    const admitted = yield* admitText(gateway, call, model, checked)
    // Nothing is fetched for a wallet that can not pay.
    const prepared = yield* fillInImages(gateway, task, checked)
    const text: TextCall = { call, endpoint, model, protocol, provider, prepared, admitted }
    if (!prepared.stream) {
      return yield* relayPlain(gateway, text, yield* forward(gateway, call, outgoing(text)))
    }
    const opened = yield* openStream(gateway, text, outgoing(text))
    if (opened !== undefined) yield* relayStream(gateway, text, opened)
  })

/** The client's own protocol where the upstream speaks it, else one that converts. */
const chooseProtocol = (endpoint: TextEndpoint, model: Model) => {
  const { protocols } = model.upstream
  if (protocols.includes(endpoint)) return Effect.succeed<Protocol>(endpoint)
  const other = protocols.find((protocol) => protocol !== "responses")
  return endpoint === "responses" || other === undefined
    ? Effect.fail(
        invalidRequest(
          `${model.id} is not served on /v1/responses: use /v1/messages or /v1/chat/completions.`,
          "model"
        )
      )
    : Effect.succeed(other)
}

const outgoing = (text: TextCall): Outgoing => {
  const { admitted, call, model, prepared, protocol, provider } = text
  return {
    provider,
    protocol,
    model: model.upstream.model,
    operation: protocol === "bedrock" ? bedrockOperation(model, prepared.stream) : undefined,
    path: pathOf(protocol, call.client.query),
    body: splice(bufferOf(prepared.bytes), capEdits(prepared.cap, admitted.cap)),
    contentType: "application/json",
    stream: prepared.stream,
    readWhole: !prepared.stream
  }
}

const bedrockOperation = (model: Model, stream: boolean): BedrockOperation => {
  if (isInvoke(model)) return stream ? "invoke-with-response-stream" : "invoke"
  return stream ? "converse-stream" : "converse"
}

const pathOf = (protocol: Protocol, query: string): string => {
  switch (protocol) {
    case "messages":
      return query === "beta=true" ? "/v1/messages?beta=true" : "/v1/messages"
    case "responses":
      return "/responses"
    default:
      return "/chat/completions"
  }
}
