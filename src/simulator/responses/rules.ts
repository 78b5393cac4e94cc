/** What the Responses provider refuses, in its own words. */
import { givenString } from "../read-json.ts"
import type { Request, Rule } from "../Protocol.ts"
import { checkItem } from "./item-rules.ts"
import { notKept, recall } from "./kept.ts"
import { optionRules } from "./option-rules.ts"
import { orderRules } from "./order-rules.ts"
import { conversationId, ownItems, referredId } from "./read-ask.ts"
import { toolRules } from "./tool-rules.ts"
import { emptyArray, missing, wrongType } from "../openai/complaints.ts"

const required: Rule<Request> = ({ model, body }) => {
  if (model === "") return missing("model")
  return ["input", "prompt", "previous_response_id", "conversation"].some((name) => body[name] != null)
    ? undefined
    : missing("input")
}

const continuation: Rule<Request> = ({ body }) => {
  const previous = givenString(body["previous_response_id"])
  const conversation = conversationId(body)
  if (previous !== undefined && conversation !== undefined)
    return {
      message:
        "Mutually exclusive parameters: 'previous_response_id' and 'conversation'. Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
      code: "mutually_exclusive_parameters"
    }
  if (previous !== undefined && recall(previous) === undefined)
    return {
      message: `Previous response with id '${previous}' not found.`,
      param: "previous_response_id",
      code: "previous_response_not_found"
    }
  return conversation !== undefined && recall(conversation) === undefined
    ? {
        message: `Conversation with id '${conversation}' not found.`,
        param: "conversation",
        code: "conversation_not_found"
      }
    : undefined
}

const items: Rule<Request> = ({ body }) => {
  const { input } = body
  if (input != null && typeof input !== "string" && !Array.isArray(input))
    return wrongType("input", "one of a string or array of input items", input)
  if (Array.isArray(input) && input.length === 0 && body["previous_response_id"] == null)
    return emptyArray("input")
  for (const [index, item] of ownItems(body).entries()) {
    const id = referredId(item)
    const complaint = id === undefined ? checkItem(item, `input[${index}]`) : notKept(id)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

/** Some providers of the same interface let everything through that they do not read. */
const unlessLenient =
  (rule: Rule<Request>): Rule<Request> =>
  (request) =>
    request.settings.lenient ? undefined : rule(request)

export const responsesRules: ReadonlyArray<Rule<Request>> = [
  required,
  continuation,
  ...[...optionRules, ...toolRules, items, ...orderRules].map(unlessLenient)
]
