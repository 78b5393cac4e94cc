/** Ends of a chat answer that are none. */
import type { Json } from "../json/json.ts"

/**
 * Finish reasons by which an upstream says that it could not finish. vLLM ends a stream that it gives up by `abort` and
 * `[DONE]`: https://github.com/vllm-project/vllm/issues/57082
 */
const broken: ReadonlySet<Json | undefined> = new Set([
  "error",
  "abort",
  "function_call_filter",
  // Google's and Bedrock's own words, where a gateway in front of them leaves them as they are.
  "malformed_function_call",
  "MALFORMED_FUNCTION_CALL",
  "malformed_model_output",
  "malformed_tool_use",
  "network_error",
  "insufficient_system_resource"
])

/** Google says behind the word what its filter objected to; a call that can not be read is no answer. */
export const googleReason = (reason: Json | undefined): Json | undefined =>
  typeof reason === "string" && /^(content|function_call)_filter: /.test(reason)
    ? reason.slice(0, reason.indexOf(":"))
    : reason

export const isBrokenFinish = (reason: Json | undefined): boolean => broken.has(googleReason(reason))
