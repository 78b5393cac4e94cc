/**
 * What a model reads of a picture, a file or a sound where it is shown none: its address at most. A call holds for it as
 * what it is, and not for words that stand in it.
 */
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"

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

/** `undefined` for what is none of them. */
export const shownTexts = (value: JsonObject): ReadonlyArray<string> | undefined => {
  if (untold.has(value.type)) return []
  return shown.has(value.type) ? addressOf(value) : undefined
}

const addressOf = (block: JsonObject): ReadonlyArray<string> =>
  ["url", "image_url", "file_url", "document_url", "video_url", "source"]
    .map((name) => block[name])
    .map((held) => (isJsonObject(held) ? held.url : held))
    .filter((held) => typeof held === "string")
    .filter((held) => webAddress.test(held))
    .slice(0, 1)
