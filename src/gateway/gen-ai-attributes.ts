/**
 * What a call's span says by the names that tools for such calls look for:
 * https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-spans.md
 */
import type { Endpoint } from "../domain/call.ts"
import type { Call } from "./Call.ts"

/** Counting is none of the operations that have a name there. */
const operations: Readonly<Record<Endpoint, string | undefined>> = {
  messages: "chat",
  chat_completions: "chat",
  responses: "chat",
  images_generations: "generate_content",
  images_edits: "generate_content",
  audio_speech: "generate_content",
  count_tokens: undefined
}

/** Where they are called otherwise than here. */
const providers: Readonly<Record<string, string>> = {
  bedrock: "aws.bedrock",
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai"
}

export const genAiAttributes = ({ charge, endpoint, model }: Call) => {
  const provider = model?.upstream.provider
  return {
    "gen_ai.operation.name": operations[endpoint],
    "gen_ai.provider.name": provider && (providers[provider] ?? provider),
    "gen_ai.request.model": model?.id,
    "gen_ai.usage.input_tokens": charge?.usage.inputTokens,
    "gen_ai.usage.output_tokens": charge?.usage.outputTokens
  }
}
