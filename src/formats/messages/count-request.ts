/** What only a call that is answered takes: a client may have its whole request counted, the provider would refuse it. */
const answerFields: ReadonlySet<string> = new Set([
  "max_tokens",
  "stream",
  "metadata",
  "stop_sequences",
  "temperature",
  "top_k",
  "top_p",
  "service_tier",
  "container",
  "inference_geo",
  "diagnostics",
  "fallbacks",
  "fallback_credit_token",
  "safeguards"
])

export const isOfAnswersOnly = (field: string): boolean => answerFields.has(field)
