/** Has a body checked and converted; images by URL are fetched in between where the upstream takes bytes only. */
import { Effect } from "effect"
import type { PrepareTask, Prepared } from "../compute/prepare-call.ts"
import { flatMapAtOnce, mapErrorAtOnce } from "./at-once.ts"
import type { Call } from "./Call.ts"
import { type CallError, invalidRequest } from "./CallError.ts"
import { errorOfRequestCodec } from "./forward.ts"
import type { GatewayShape } from "./Gateway.ts"

export const prepareText = (
  gateway: GatewayShape,
  call: Call,
  target: Pick<PrepareTask, "endpoint" | "body" | "model" | "protocol">
): Effect.Effect<Prepared, CallError> => {
  const task: PrepareTask = { ...target, anthropicBeta: call.client.headers.anthropicBeta }
  return flatMapAtOnce(prepareOnce(gateway, task), (result) => {
    if (!("urls" in result)) return started(call, result)
    return gateway.images.fetchAll(result.urls).pipe(
      Effect.mapError((refusal) => invalidRequest(refusal.message)),
      Effect.flatMap((images) => prepareOnce(gateway, { ...task, images })),
      Effect.flatMap((prepared) =>
        "urls" in prepared
          ? Effect.fail(invalidRequest("An image could not be fetched."))
          : started(call, prepared)
      )
    )
  })
}

const prepareOnce = (gateway: GatewayShape, task: PrepareTask) =>
  mapErrorAtOnce(gateway.codecs.prepare(task), errorOfRequestCodec)

const started = (call: Call, prepared: Prepared) => {
  call.stream = prepared.stream
  return Effect.succeed(prepared)
}
