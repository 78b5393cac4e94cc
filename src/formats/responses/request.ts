/** What a Responses request may not ask for. Everything else of it is the upstream's business. */
import { Result } from "effect"
import { type InvalidRequest, refusable, refuse } from "../fields.ts"
import type { Member } from "../json-splice.ts"

/** `undefined` when the request can be served, else what is wrong with it. */
export const checkResponsesRequest = (
  body: Buffer,
  members: ReadonlyArray<Member>
): InvalidRequest | undefined => {
  const checked = refusable(() => refuseBackground(body, members))
  return Result.isFailure(checked) ? checked.failure : undefined
}

/** Every call is charged exactly, and work that goes on behind its answer is billed by the provider but metered by nobody. */
const refuseBackground = (body: Buffer, members: ReadonlyArray<Member>): void => {
  for (const { name, valueEnd, valueStart } of members) {
    // Of several members of the name the provider may read any.
    if (name !== "background" || /^(false|null)$/.test(body.toString("latin1", valueStart, valueEnd)))
      continue
    refuse(
      "background",
      "must be false or absent, since a response can not be fetched later from this service"
    )
  }
}
