/** Has the body of an image, speech or count call checked and made ready for the upstream. */
import { Effect } from "effect"
import type { PlainTask, PreparedPlain } from "../compute/prepare-plain.ts"
import type { CallError } from "./CallError.ts"
import { errorOfRequestCodec } from "./error-of-codecs.ts"
import type { GatewayShape } from "./Gateway.ts"

export const preparePlain = (
  gateway: GatewayShape,
  task: PlainTask
): Effect.Effect<PreparedPlain, CallError> =>
  gateway.codecs.preparePlain(task).pipe(Effect.mapError(errorOfRequestCodec))
