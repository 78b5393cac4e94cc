/** What the Responses provider refuses of how the items of an input follow each other. */
import { isJsonObject, type JsonObject } from "../../formats/json/json.ts"
import { givenString } from "../read-json.ts"
import type { Complaint, Request, Rule } from "../Protocol.ts"
import { accountOf, decrypt, type Outcome } from "./encrypted-content.ts"
import { notKept, recallItem } from "./kept.ts"
import { continued, ownItems } from "./read-ask.ts"

/** Everything said, what the request continues among it. */
const wholeInput = (body: JsonObject): ReadonlyArray<JsonObject> =>
  [...continued(body).items, ...ownItems(body)].filter(isJsonObject)

/** The tools whose calls the client answers, and what calls and outputs of them are called. */
const answeredTools: ReadonlyArray<readonly [kind: string, call: string, output: string]> = [
  ["function", "function_call", "function_call_output"],
  ["custom tool", "custom_tool_call", "custom_tool_call_output"],
  ["computer", "computer_call", "computer_call_output"],
  ["shell", "shell_call", "shell_call_output"],
  ["apply patch", "apply_patch_call", "apply_patch_call_output"]
]

const pairedCalls: Rule<Request> = ({ body }) => {
  const all = wholeInput(body)
  for (const [kind, call, output] of answeredTools) {
    const complaint = checkPairs(all, kind, call, output)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

/** Each call has one output, somewhere behind it. */
const checkPairs = (
  all: ReadonlyArray<JsonObject>,
  kind: string,
  call: string,
  output: string
): Complaint | undefined => {
  const open = new Set<string>()
  const closed = new Set<string>()
  for (const item of all) {
    const id = String(item["call_id"])
    if (item["type"] === call) {
      if (open.has(id) || closed.has(id))
        return { message: `Duplicate ${kind} call found with call_id ${id}.`, param: "input" }
      open.add(id)
    } else if (item["type"] === output) {
      if (closed.has(id))
        return { message: `Duplicate ${kind} call output found with call_id ${id}.`, param: "input" }
      if (!open.delete(id))
        return { message: `No tool call found for ${kind} call output with call_id ${id}.`, param: "input" }
      closed.add(id)
    }
  }
  const [unanswered] = open
  return unanswered === undefined
    ? undefined
    : { message: `No tool output found for ${kind} call ${unanswered}.`, param: "input" }
}

/** What the model made has an id of the provider's; what others say has whatever its client gives it. */
const uniqueIds: Rule<Request> = ({ body }) => {
  const seen = new Set<string>()
  for (const { id, role } of wholeInput(body)) {
    if (typeof id !== "string" || (role !== undefined && role !== "assistant")) continue
    if (seen.has(id))
      return {
        message: `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
        param: "input"
      }
    seen.add(id)
  }
  return undefined
}

/** A thought is its own account's, and what the model made of it stands behind it. */
const thoughts: Rule<Request> = ({ body, call }) => {
  const all = wholeInput(body)
  const account = accountOf(call)
  for (const [index, item] of all.entries()) {
    if (item["type"] === "compaction") {
      const read = decrypt(account, item)
      if ("message" in read) return read
    }
    if (item["type"] !== "reasoning") continue
    const read = readThought(item, account)
    if (read !== undefined && "message" in read) return read
    const next = all.slice(index + 1).find(({ type }) => type !== "reasoning")
    if (!follows(next, read?.outcome))
      return {
        message: `Item ${item["id"] === undefined ? "" : `'${String(item["id"])}' `}of type 'reasoning' was provided without its required following item.`,
        param: "input"
      }
  }
  return undefined
}

/** `undefined` where nobody can tell what was made of it. */
const readThought = (
  item: JsonObject,
  account: string
): { readonly outcome: Outcome } | Complaint | undefined => {
  if (item["encrypted_content"] !== undefined && item["encrypted_content"] !== null)
    return decrypt(account, item)
  const id = givenString(item["id"])
  return id === undefined || recallItem(id) !== undefined ? undefined : notKept(id)
}

const follows = (next: JsonObject | undefined, outcome: Outcome): boolean => {
  if (next === undefined) return false
  const type = next["type"] ?? "message"
  if (outcome === undefined)
    return type === "message" ? next["role"] === "assistant" : !String(type).endsWith("_output")
  return outcome === "message"
    ? type === "message" && next["role"] === "assistant"
    : next["call_id"] === outcome && !String(type).endsWith("_output")
}

export const orderRules: ReadonlyArray<Rule<Request>> = [uniqueIds, pairedCalls, thoughts]
