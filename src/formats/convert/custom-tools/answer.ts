/** A chat provider's whole answer, its calls of functions that stand for custom tools told as calls of these. */
import { Result } from "effect"
import { argumentsText } from "../../chat/content.ts"
import { toolCalled } from "../../chat/tool-calls.ts"
import { type StreamFailure, unreadable } from "../../errors/stream-failure.ts"
import { nestedTooDeeply } from "../../json/nesting.ts"
import { eachObject } from "../../json/each-object.ts"
import { isJsonObject, type JsonObject, objectOf, stringOf } from "../../json/json.ts"
import { customInputOf } from "../CustomInputReader.ts"
import { originalName, type ToolNames } from "../tool-names.ts"
import { readOrigin } from "../tool-origin.ts"

export const answerWithCustomCalls = (
  answer: JsonObject,
  toolNames: ToolNames
): Result.Result<Buffer, StreamFailure> => {
  if (nestedTooDeeply(answer)) return Result.fail(unreadable)
  const choices = eachObject(answer.choices, (choice) => {
    const { message } = choice
    if (!isJsonObject(message)) return choice
    const calls = eachObject(message.tool_calls, (call) => customCall(call, toolNames))
    return { ...choice, message: { ...message, tool_calls: calls } }
  })
  return Result.succeed(Buffer.from(JSON.stringify({ ...answer, choices })))
}

const customCall = (call: JsonObject, toolNames: ToolNames): JsonObject => {
  const called = objectOf(call.function)
  const { isCustom, name } = readOrigin(originalName(toolNames, stringOf(called.name)))
  if (!isCustom) return call
  const input = customInputOf(argumentsText(called.arguments))
  return { ...call, function: undefined, ...toolCalled(true, name, input) }
}
