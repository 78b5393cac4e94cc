/** Conversations that the provider keeps, so that a caller sends only what is new: what was said, by the last answer's id. */
import { remember } from "../../collections/remember.ts"
import { isJsonObject, type Json, type JsonObject, listOf, stringOf } from "../../formats/json/json.ts"
import type { Complaint, Request } from "../Protocol.ts"

const keptMax = 200

const kept = new Map<string, JsonObject>()

/** The request with all that was said before it. */
export const withHistory = (request: Request): Request | Complaint => {
  const { thread, ...body } = request.body
  if (!isJsonObject(thread) || thread["type"] !== "continue") return request
  const id = stringOf(thread["previous_message_id"])
  const before = kept.get(id)
  if (before === undefined)
    return { status: 404, message: `thread: no state for '${id}'`, code: "thread_not_found" }
  const messages = [...listOf(before["messages"]), ...listOf(body["messages"])]
  return { ...request, body: { ...before, ...body, thread, messages } }
}

/** What a later request may continue, where the caller asked for that. */
export const keepThread = ({ body }: Request, id: string, content: ReadonlyArray<Json>): void => {
  if (!isJsonObject(body["thread"])) return
  const { system, tools } = body
  const messages = [...listOf(body["messages"]), { role: "assistant", content }]
  remember(kept, id, { ...(system && { system }), ...(tools && { tools }), messages }, keptMax)
}
