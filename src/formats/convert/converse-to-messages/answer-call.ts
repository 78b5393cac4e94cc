/** Whole answers that came as the call of a tool. */
import { answerTool } from "../../bedrock/answer-tool.ts"
import { type Json, type JsonObject, objectsOf, stringOf } from "../../json/json.ts"
import type { ToolNames } from "../tool-names.ts"

/** The request asked for its answer as a call. */
export const asksForAnswerCall = (toolNames: ToolNames): boolean =>
  [...toolNames.values()].includes(answerTool)

export const isAnswerCall = ({ name, type }: JsonObject): boolean =>
  type === "tool_use" && name === answerTool

/** A message whose answer is told as text. What the model said before it is no part of it, nor is a second one. */
export const withAnswerAsText = (message: JsonObject): JsonObject => {
  const content: Array<JsonObject> = []
  let said: Array<JsonObject> = []
  let isAnswered = false
  for (const block of objectsOf(message.content)) {
    if (block.type === "text") {
      if (!isAnswered) said.push(block)
    } else if (isAnswerCall(block)) {
      if (!isAnswered)
        content.push({ type: "text", text: stringOf(block.arguments) || JSON.stringify(block.input) })
      isAnswered = true
      said = []
    } else {
      content.push(...(block.type === "tool_use" ? said.splice(0) : []), block)
    }
  }
  content.push(...said)
  const calls = content.some(({ type }) => type === "tool_use")
  return { ...message, content, stop_reason: stopReasonWith(message.stop_reason, calls) }
}

/** Who has answered waits for no result. */
export const stopReasonWith = (reason: Json | undefined, calls: boolean): Json =>
  reason === "tool_use" && !calls ? "end_turn" : (reason ?? null)
