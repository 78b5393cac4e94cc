/** Why a response is not complete, in the words of Responses. */
import type { Json } from "../../json/json.ts"

/** `undefined` where it is. A refusal that is told in the answer completes it; one that ended it does not. */
export const incompleteReason = (
  stopReason: Json,
  refused: boolean
): "max_output_tokens" | "content_filter" | undefined => {
  if (stopReason === "max_tokens" || stopReason === "model_context_window_exceeded")
    return "max_output_tokens"
  return stopReason === "refusal" && !refused ? "content_filter" : undefined
}
