/** The response object around the items of an answer, as JSON text. */
import type { UsageInParts } from "../../../domain/usage.ts"
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

/** Usage in the words of Responses, where cached input is a part of the input. */
export const usageText = (usage: UsageInParts): string =>
  JSON.stringify({
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens
  })
