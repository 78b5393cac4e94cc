/** Has the body of an image, speech or count call checked and made ready for the upstream. */
import { Effect } from "effect"
import type { PlainTask } from "../compute/prepare-plain.ts"
import { type PlainRow, plainPairs, type PreparedPlain } from "../formats/plain-pairs.ts"
import type { UpstreamAddress } from "../formats/upstream-address.ts"
import type { IdentifiedCall } from "./Call.ts"
import type { CallError } from "./CallError.ts"
import type { Client } from "./Client.ts"
import { errorOfRequestCodec } from "./error-of-codecs.ts"
import type { GatewayShape } from "./Gateway.ts"

export const preparePlain = (
  gateway: GatewayShape,
  call: IdentifiedCall,
  task: PlainTask
): Effect.Effect<PreparedPlain, CallError> =>
  gateway.codecs.preparePlain(call.identity.accountId, task).pipe(
    Effect.mapError(errorOfRequestCodec),
    Effect.map((prepared) => {
      call.terms = prepared.terms
      return prepared
    })
  )

/** Where it goes. */
export const addressOf = (row: PlainRow, { headers, query }: Client): UpstreamAddress =>
  plainPairs[row].address({ ...headers, query, stream: false })
