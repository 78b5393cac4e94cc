/** Which provider interface a path belongs to, by its end. */
import { bedrockConverse } from "./bedrock/converse.ts"
import { bedrockInvoke } from "./bedrock/invoke.ts"
import { chat } from "./chat/chat.ts"
import { type Answer, plainJson } from "./http/Answer.ts"
import { imageEdits, imageGenerations } from "./media/images.ts"
import { speech } from "./media/speech.ts"
import { messages } from "./messages/messages.ts"
import { countTokens } from "./messages/count-tokens.ts"
import { listModels } from "./list-models.ts"
import type { Call, Protocol } from "./Protocol.ts"
import { conversations } from "./responses/conversations.ts"
import { inputTokens } from "./responses/input-tokens.ts"
import { responses } from "./responses/responses.ts"
import { errorBody } from "./openai/refuse.ts"

const bySuffix: ReadonlyArray<readonly [suffix: string, protocol: Protocol]> = [
  ["/messages", messages],
  ["/chat/completions", chat],
  ["/responses", responses],
  ["/converse", bedrockConverse],
  ["/converse-stream", bedrockConverse],
  ["/invoke", bedrockInvoke],
  ["/invoke-with-response-stream", bedrockInvoke],
  ["/messages/count_tokens", countTokens],
  ["/responses/input_tokens", inputTokens],
  ["/conversations", conversations],
  ["/images/generations", imageGenerations],
  ["/images/edits", imageEdits],
  ["/audio/speech", speech]
]

export const route = (call: Call): Protocol | Answer => {
  const { method, path } = call
  if (method === "get" && /\/models(\/[^/]+)?$/.test(path)) return listModels(call)
  const found = bySuffix.find(([suffix]) => path.endsWith(suffix))
  if (found === undefined)
    return plainJson(404, [], errorBody({ message: `Invalid URL (${method.toUpperCase()} ${path})` }))
  if (method !== "post")
    return plainJson(
      405,
      [["allow", "POST"]],
      errorBody({
        message: `Not allowed to ${method.toUpperCase()} on ${path}.`,
        code: "method_not_supported"
      })
    )
  return found[1]
}
