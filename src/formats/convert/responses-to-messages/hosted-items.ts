/**
 * Items that only OpenAI or its client libraries can act on, as text a model can go on from: what was searched, run or
 * edited, and what came of it.
 */
import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts"

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
export const unread: ReadonlySet<string> = new Set([
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

/** Pictures and files, of which a reader of text has their address alone. */
const shown: ReadonlySet<Json | undefined> = new Set([
  "image",
  "image_url",
  "input_image",
  "computer_screenshot",
  "video",
  "video_url",
  "input_video",
  "file",
  "input_file",
  "file_url",
  "document",
  "document_url"
])

/** What holds nothing to read. */
const untold: ReadonlySet<Json | undefined> = new Set([
  "input_audio",
  "redacted_thinking",
  "tool_addition",
  "configuration_update"
])

/** Longer ones are no addresses. Calls hold no more for a picture than it may cost. */
const webAddress = /^https?:\/\/\S{1,2000}$/i

const addressOf = ({
  document_url,
  file_url,
  image_url,
  url,
  video_url
}: JsonObject): ReadonlyArray<string> =>
  [url, image_url, file_url, document_url, video_url]
    .map((held) => (isJsonObject(held) ? held.url : held))
    .filter((held) => typeof held === "string")
    .filter((held) => webAddress.test(held))
    .slice(0, 1)

/** Members whose type is what was done. */
const deeds: ReadonlySet<string> = new Set(["action", "operation", "outcome"])

/** Numbers that mean something to who reads no more than them. */
const numbers: ReadonlySet<string> = new Set(["exit_code", "x", "y"])

/** What is longer is no text for a person: an image, a file. */
const isData = (text: string): boolean => text.startsWith("data:") || /^[A-Za-z0-9+/_=-]{400,}$/.test(text)

const textsOf = (value: Json | undefined): ReadonlyArray<string> => {
  if (typeof value === "string") return value.trim() === "" || isData(value) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsOf(item))
  if (!isJsonObject(value) || untold.has(value.type)) return []
  if (shown.has(value.type)) return addressOf(value)
  return Object.entries(value).flatMap(([name, member]) => {
    if (unread.has(name)) return []
    if (name === "approve") return [member === true ? "approved" : "declined"]
    if (typeof member === "number" && numbers.has(name)) return [String(member)]
    return deeds.has(name) && isJsonObject(member)
      ? textsOf(member.type).concat(textsOf(member))
      : textsOf(member)
  })
}
