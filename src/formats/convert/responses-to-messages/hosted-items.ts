/**
 * Items that only OpenAI or its client libraries can act on, as text a model can go on from: what was searched, run or
 * edited, and what came of it.
 */
import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts"
import { shownTexts } from "../shown-texts.ts"

/** Empty for an item of which nothing can be read, unless it tells at least that something was done. */
export const textOfItem = (item: JsonObject): string => {
  const { status, type } = item
  const kind = typeof type === "string" ? type : "item"
  const isDeed = kind.endsWith("_call") || isOutputItem(item)
  const read = textsOf(item)
  const told = isDeed ? [...outcomeOf(status, isOutputItem(item) && read.length === 0), ...read] : read
  return told.length === 0 && !isDeed ? "" : [`[${kind}]`, ...told].join(" ")
}

/** How it ended, where that goes without saying only if it went well. */
const outcomeOf = (status: Json | undefined, isAll: boolean): ReadonlyArray<string> =>
  typeof status === "string" && (isAll || status === "failed" || status === "incomplete") ? [status] : []

/** Whether it tells the model what came of something, rather than what the model did. */
export const isOutputItem = ({ type }: JsonObject): boolean =>
  typeof type === "string" && (type.endsWith("_output") || type.endsWith("_response"))

/** Labels, and what only its provider can read. */
const unread: ReadonlySet<string> = new Set([
  "type",
  "id",
  "call_id",
  "item_id",
  "status",
  "role",
  "phase",
  "caller",
  "cache_control",
  "execution",
  "container_id",
  "environment",
  "file_id",
  "vector_store_id",
  "approval_request_id",
  "server_label",
  "encrypted_content",
  "fingerprint",
  "logprobs",
  // Tools that are listed are offered, not told.
  "tools"
])

/** Members whose type is what was done. */
const deeds: ReadonlySet<string> = new Set(["action", "actions", "operation", "outcome"])

/** Numbers that mean something to who reads no more than them. */
const numbers: ReadonlySet<string> = new Set(["exit_code", "x", "y"])

/** What is longer is no text for a person: an image, a file. */
const isData = (text: string): boolean => text.startsWith("data:") || /^[A-Za-z0-9+/_=-]{400,}$/.test(text)

const textsOf = (value: Json | undefined): ReadonlyArray<string> => {
  if (typeof value === "string") return value.trim() === "" || isData(value) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsOf(item))
  if (!isJsonObject(value)) return []
  const shown = shownTexts(value)
  if (shown !== undefined) return shown
  return Object.entries(value).flatMap(([name, member]) => {
    if (unread.has(name)) return []
    if (name === "approve") return [member === true ? "approved" : "declined"]
    if (typeof member === "number" && numbers.has(name)) return [String(member)]
    if (!deeds.has(name)) return textsOf(member)
    return (Array.isArray(member) ? member : [member]).flatMap((deed: Json) =>
      isJsonObject(deed) ? textsOf(deed.type).concat(textsOf(deed)) : textsOf(deed)
    )
  })
}
