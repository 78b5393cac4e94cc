/** The response object around the items of an answer, as JSON text. */
import type { Usage } from "../../../domain/usage.ts"
import { billedCounts, cachedCounts, type MessagesCounts } from "../../messages/usage.ts"
import type { ConversionContext } from "../conversion.ts"

export interface ResponseState {
  readonly status: "in_progress" | "completed" | "incomplete" | "failed"
  /** JSON texts. */
  readonly items: ReadonlyArray<string>
  /** Seconds since 1970, of a completed one. */
  readonly completedAt?: number
  readonly error?: { readonly code: string; readonly message: string }
  readonly incomplete?: "max_output_tokens" | "content_filter"
  readonly usage?: string
}

/** Made of the call's own id, and so the same in all events of a stream. */
export const suffixOf = ({ callId }: ConversionContext): string => callId.replace(/^req_/, "")

export const responseText = (context: ConversionContext, state: ResponseState): string => {
  const { completedAt, error, incomplete, items, status, usage } = state
  return (
    `{"id":"resp_${suffixOf(context)}","object":"response","created_at":${context.now},"status":"${status}",` +
    `"background":false,"completed_at":${completedAt ?? null},"error":${error === undefined ? null : JSON.stringify(error)},` +
    `"incomplete_details":${incomplete === undefined ? null : `{"reason":"${incomplete}"}`},` +
    `"model":${JSON.stringify(context.modelId)},"output":[${items.join(",")}],"previous_response_id":null,` +
    `"access_programs":null,"service_tier":"default","store":false,"top_logprobs":0,"usage":${usage ?? null}` +
    `${context.echo === "" ? "" : `,${context.echo}`}}`
  )
}

/** Usage in the words of Responses, where cached input is a part of the input. `estimate` is for who told none. */
export const usageText = (counts: MessagesCounts, estimate: Usage): string => {
  const { inputTokens, outputTokens } = billedCounts(counts) ?? estimate
  const { cacheReadTokens, cacheWriteTokens } = cachedCounts(counts)
  const { thinkingTokens = 0 } = counts
  return (
    `{"input_tokens":${inputTokens},"input_tokens_details":{"cached_tokens":${cacheReadTokens},"cache_write_tokens":${cacheWriteTokens}},` +
    `"output_tokens":${outputTokens},"output_tokens_details":{"reasoning_tokens":${thinkingTokens}},` +
    `"total_tokens":${inputTokens + outputTokens}}`
  )
}
