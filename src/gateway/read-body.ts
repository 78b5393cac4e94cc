/** The request body, or why there is none. */
import { Effect } from "effect"
import type { Call } from "./Call.ts"
import { busy, compressedBody, requestTooLarge, type CallError } from "./CallError.ts"
import type { GatewayShape } from "./Gateway.ts"

export const readBody = (gateway: GatewayShape, { client }: Call): Effect.Effect<Buffer, CallError> => {
  const { contentEncoding } = client.headers
  if (contentEncoding !== "" && contentEncoding !== "identity") return Effect.fail(compressedBody())
  return Effect.mapError(client.body, (refusal) =>
    refusal._tag === "NoRoomForBody" ? busy() : requestTooLarge(gateway.models.settings().limits.maxBodyBytes)
  )
}
