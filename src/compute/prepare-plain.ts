/** Turns the body of an image, speech or count call into what goes upstream: checked, and as multipart where it must be. */
import { randomBytes } from "node:crypto"
import type { Endpoint } from "../domain/call.ts"
import { refusable } from "../formats/json/fields.ts"
import { type ImageBytes, imageEditForm, readImageEdit } from "../formats/images/edit.ts"
import { readImageGeneration } from "../formats/images/generation.ts"
import type { JsonObject } from "../formats/json/json.ts"
import { type Edit, type Member, removeMembers, replaceValue, splice } from "../formats/json/splice.ts"
import { requireModelAndMessages } from "../formats/messages/request.ts"
import { readSpeechRequest } from "../formats/speech/request.ts"
import { bufferOf, orRefuse, readBody } from "./read-body.ts"

export interface PlainTask {
  readonly endpoint: Extract<
    Endpoint,
    "images_generations" | "images_edits" | "audio_speech" | "count_tokens"
  >
  readonly body: Uint8Array
  /** The provider's name of the model. */
  readonly model: string
  /** The image to edit, once it has been fetched. */
  readonly image?: ImageBytes
}

/** Plain data: it crosses threads. */
export interface PreparedPlain {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** Images asked for; each has its price. */
  readonly images: number
  /** Where the image to edit is, when it must be fetched first: `bytes` are empty until then. */
  readonly imageUrl: { readonly url: string; readonly parameter: string } | undefined
}

/** Throws `Unprepared`. */
export const preparePlain = (task: PlainTask): PreparedPlain => {
  const body = bufferOf(task.body)
  const { members, parsed } = readBody(body)
  if (task.endpoint === "images_edits") return prepareEdit(task, parsed)
  const images = orRefuse(refusable(() => check(task.endpoint, parsed)))
  const edits = replaceValue(members, "model", JSON.stringify(task.model))
  const bytes = splice(body, [...edits, ...leftOut(task, members, parsed)])
  return { bytes, contentType: "application/json", images, imageUrl: undefined }
}

/** How many images are asked for, once the body has what its endpoint asks. */
const check = (endpoint: PlainTask["endpoint"], parsed: JsonObject): number => {
  if (endpoint === "images_generations") return readImageGeneration(parsed).count
  if (endpoint === "audio_speech") readSpeechRequest(parsed)
  if (endpoint === "count_tokens") requireModelAndMessages(parsed)
  return 0
}

/** What only a call that is answered takes: a client may have its whole request counted, the provider would refuse it. */
const answerFields: ReadonlySet<string> = new Set([
  "max_tokens",
  "stream",
  "metadata",
  "stop_sequences",
  "temperature",
  "top_k",
  "top_p",
  "service_tier",
  "container",
  "inference_geo",
  "diagnostics",
  "fallbacks",
  "fallback_credit_token",
  "safeguards"
])

const leftOut = (
  { endpoint, model }: PlainTask,
  members: ReadonlyArray<Member>,
  parsed: JsonObject
): ReadonlyArray<Edit> => {
  if (endpoint === "count_tokens") return removeMembers(members, ({ name }) => answerFields.has(name))
  // GPT's image models answer in base64 alone and refuse to be asked for it, as the AI SDK does for names it does not know.
  if (model.startsWith("gpt-image") && parsed["response_format"] === "b64_json")
    return removeMembers(members, ({ name }) => name === "response_format")
  return []
}

const prepareEdit = ({ image: fetched, model }: PlainTask, parsed: JsonObject): PreparedPlain => {
  const edit = orRefuse(refusable(() => readImageEdit(parsed)))
  const { count: images } = edit
  const image = fetched ?? (edit.image._tag === "Bytes" ? edit.image : undefined)
  if (image === undefined) {
    const { parameter, url } = edit.image as Extract<typeof edit.image, { readonly _tag: "Url" }>
    return { bytes: new Uint8Array(), contentType: "", images, imageUrl: { url, parameter } }
  }
  const boundary = `tollgate-${randomBytes(16).toString("hex")}`
  return {
    bytes: imageEditForm(edit, model, image, boundary),
    contentType: `multipart/form-data; boundary=${boundary}`,
    images,
    imageUrl: undefined
  }
}
