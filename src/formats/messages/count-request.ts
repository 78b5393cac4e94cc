/** What a request to count tokens must have: a Messages request without a cap on the answer. */
import { Result } from "effect"
import { type InvalidRequest, refusable } from "../fields.ts"
import type { JsonObject } from "../json.ts"
import { requireModelAndMessages } from "./request.ts"

export const checkCountRequest = (body: JsonObject): InvalidRequest | undefined => {
  const checked = refusable(() => requireModelAndMessages(body))
  return Result.isFailure(checked) ? checked.failure : undefined
}
