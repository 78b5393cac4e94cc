/** Image generations and edits. */
import * as uWS from "uWebSockets.js"
import { type Json, type JsonObject, stringOf } from "../../formats/json/json.ts"
import { openai, secondsNow } from "../openai/openai.ts"
import { type Answer, plainJson } from "../http/Answer.ts"
import { isMissing } from "../models.ts"
import { givenString } from "../read-json.ts"
import type { Call, Complaint, Protocol, Request } from "../Protocol.ts"
import { countInput } from "../turn/count-input.ts"
import { invalidValue, missing, missingModel, unknownParameter } from "../openai/complaints.ts"
import { successHeaders } from "../openai/headers.ts"

/** One grey pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNsaGioBwAFgwKAJ1YgJQAAAABJRU5ErkJggg=="
const tokensPerImage = 272

const sizes = /^(auto|[1-9]\d{1,4}x[1-9]\d{1,4})$/
const generationFields = new Set(
  (
    "prompt background complexity frame_count frame_duration_ms model moderation n output_compression output_format " +
    "partial_images quality response_format safety_identifier size stream style svg user"
  ).split(" ")
)
/** What is an object in JSON is several fields of a form. */
const editFields = new Set([
  ...generationFields,
  ..."image image[] mask markup input_fidelity svg[model] svg[reasoning][effort]".split(" ")
])

export const imageGenerations: Protocol = {
  ...openai,
  prompt: (body) => stringOf(body["prompt"]),
  answer: (request) => answer(request, generationFields)
}

export const imageEdits: Protocol = {
  ...imageGenerations,
  parse: (call) => parseForm(call),
  answer: (request) =>
    request.body["image"] === undefined && request.body["image[]"] === undefined
      ? missing("image")
      : answer(request, editFields)
}

const answer = ({ body, model, settings }: Request, fields: ReadonlySet<string>): Answer | Complaint => {
  if (isMissing(model)) return missingModel(model)
  const prompt = givenString(body["prompt"])
  if (prompt === undefined || prompt === "") return missing("prompt")
  const unknown = Object.keys(body).find((name) => !fields.has(name))
  if (unknown !== undefined && !settings.lenient) return unknownParameter(unknown)
  if (model.startsWith("gpt-image") && body["response_format"] !== undefined)
    return unknownParameter("response_format")
  const size = body["size"] ?? "auto"
  if (typeof size !== "string" || !sizes.test(size))
    return invalidValue("size", size, ["1024x1024", "1024x1536", "1536x1024", "auto"])
  const n = Number(body["n"] ?? 1)
  if (!Number.isInteger(n) || n < 1 || n > 10)
    return {
      message: `Invalid 'n': integer out of range. Expected a value between 1 and 10, but got ${n} instead.`,
      param: "n",
      code: n < 1 ? "integer_below_min_value" : "integer_above_max_value"
    }
  const count = settings.images ?? n
  const picture = settings.big === undefined ? pixel : pixel.padEnd(Math.ceil(settings.big / 4) * 4, "A")
  return plainJson(200, successHeaders(), {
    created: secondsNow(),
    background: "opaque",
    data: Array.from({ length: count }, () => ({ b64_json: picture })),
    output_format: "png",
    quality: body["quality"] ?? "low",
    size: size === "auto" ? "1024x1024" : size,
    ...(settings.usage === "none" ? {} : { usage: usageOf(prompt, count) })
  })
}

const usageOf = (prompt: string, count: number) => {
  const text = countInput([prompt], 1)
  return {
    input_tokens: text,
    input_tokens_details: { image_tokens: 0, text_tokens: text },
    output_tokens: count * tokensPerImage,
    total_tokens: text + count * tokensPerImage
  }
}

const imageStart = /^(\x89PNG|\xff\xd8\xff|GIF8|RIFF[\s\S]{4}WEBP)/

const parseForm = ({ raw, headers }: Call): { readonly body: JsonObject } | Complaint => {
  const type = headers["content-type"] ?? ""
  if (!type.startsWith("multipart/form-data"))
    return {
      message: `Unsupported content type: '${type}'. This API method only accepts 'multipart/form-data' requests.`,
      param: null
    }
  const parts = uWS.getParts(raw, type)
  if (parts === undefined) return { message: "Could not parse multipart form" }
  const body: Record<string, Json> = {}
  for (const part of parts) {
    const data = Buffer.from(part.data)
    if (part.filename === undefined) {
      body[part.name] = data.toString()
      continue
    }
    if (!imageStart.test(data.subarray(0, 12).toString("latin1")))
      return {
        message: `Invalid image file or mode for ${part.name}, please check your image file.`,
        param: part.name,
        code: "invalid_image_file"
      }
    body[part.name] = `file ${part.filename} of ${data.byteLength} bytes`
  }
  return { body }
}
