/** What a Responses request may not ask for. Everything else of it is the upstream's business. */
import { refuse } from "../json/fields.ts"
import type { Member } from "../json/splice.ts"

/** Every call is charged exactly, and work that goes on behind its answer is billed by the provider but metered by nobody. */
export const requireResponsesRequest = (body: Buffer, members: ReadonlyArray<Member>): void => {
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
