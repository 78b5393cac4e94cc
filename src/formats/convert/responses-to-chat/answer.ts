/** A Responses upstream's whole answer as a chat completion. */
import { Result } from "effect"
import { type JsonObject, objectsOf, stringOf } from "../../json/json.ts"
import type { StreamFailure } from "../../errors/stream-failure.ts"
import { responseFailure } from "../../responses/read-response.ts"
import { responsesCounts } from "../../responses/usage.ts"
import { chatCitations } from "../citations.ts"
import { type ConversionContext, estimatedUsage } from "../conversion.ts"
import { chatUsageOf, completionShell } from "../messages-to-chat/answer-parts.ts"
import { thoughtOf } from "../responses-to-messages/answer-parts.ts"
import { betweenMessages, callOf, finishReasonOf, moderationOf, tierOf } from "./answer-parts.ts"

export const responsesResponseToChat = (
  body: JsonObject,
  context: ConversionContext
): Result.Result<JsonObject, StreamFailure> => {
  const failure = responseFailure(body)
  if (failure !== undefined) return Result.fail(failure)
  const items = objectsOf(body.output)
  const messages = items.filter(({ type }) => type === "message").map(({ content }) => objectsOf(content))
  const { annotations, text } = oneText(messages)
  const refusal = messages
    .flat()
    .map((part) => stringOf(part.refusal))
    .join("")
  const reasoning = items
    .filter(({ type }) => type === "reasoning")
    .map(thoughtOf)
    .filter((thought) => thought !== "")
    .join("\n\n")
  const calls = items.map(callOf).filter((call) => call !== undefined)
  const message: JsonObject = {
    role: "assistant",
    content: text === "" ? null : text,
    refusal: refusal === "" ? null : refusal,
    ...(annotations.length > 0 && { annotations }),
    ...(reasoning !== "" && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls })
  }
  const finish = finishReasonOf(body, calls.length > 0)
  return Result.succeed({
    ...completionShell("chat.completion", context),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage: chatUsageOf(responsesCounts(body.usage) ?? estimatedUsage(context, context.outputEstimate ?? 0)),
    ...tierOf(body),
    ...moderationOf(body)
  })
}

/** What the messages say, and what they cite. */
const oneText = (messages: ReadonlyArray<ReadonlyArray<JsonObject>>) => {
  let text = ""
  const annotations: Array<JsonObject> = []
  for (const parts of messages) {
    const said = parts.map((part) => stringOf(part.text)).join("")
    if (said === "") continue
    if (text !== "") text += betweenMessages
    annotations.push(...chatCitations(parts, text.length))
    text += said
  }
  return { annotations, text }
}
