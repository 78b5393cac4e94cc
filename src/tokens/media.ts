/** What pictures, files, videos and sounds hold, in any protocol: bytes, or where they are. */
import { isPdfAddress, isTextual, typeByName, typeOfDataUrl } from "../formats/images/media-type.ts"
import { isJsonObject, type Json, type JsonObject, stringOf } from "../formats/json/json.ts"
import { documentOf } from "./document-tokens.ts"
import { imageSize } from "./image-size.ts"
import type { RequestParts } from "./request-parts.ts"

export type Medium = "image" | "document" | "video" | "audio"

/** A member of a block that shows something, and the object that it is one of. */
export interface Member {
  readonly name: string
  readonly value: Json | undefined
  readonly holder: JsonObject
}

/** One that holds what is shown. */
export interface Held extends Member {
  readonly value: string
}

const addressNames = [
  "url",
  "image_url",
  "image",
  "file_url",
  "document_url",
  "video_url",
  "video",
  "audio_url"
] as const
const bytesNames = ["data", "file_data", "input_audio"] as const
/** What these name holds it, or is it. */
const mediaNames: ReadonlySet<string> = new Set([...addressNames, ...bytesNames])
const holderNames: ReadonlySet<string> = new Set([...mediaNames, "source", "file"])

export const isMedia = (name: string): boolean => mediaNames.has(name)
export const isHolder = (name: string): boolean => holderNames.has(name)
export const isHeld = (member: Member): member is Held =>
  typeof member.value === "string" && isMedia(member.name)
export const isWeb = (address: string): boolean => /^https?:/i.test(address)

/** Adds what a block says that it shows. Of several things in one any may be taken, so each is held for. */
export const addMedia = (
  parts: RequestParts,
  block: JsonObject,
  medium: Medium,
  all: ReadonlyArray<Held>
): void => {
  if (medium === "video") parts.videos++
  else if (all.length === 0) addElsewhere(parts, medium, isLowDetail(block))
  else for (const held of all) addHeld(parts, held, medium, isLowDetail(block))
}

const addHeld = (parts: RequestParts, held: Held, medium: Medium, lowDetail: boolean): void => {
  const { holder, value } = held
  if (isWeb(value)) return addElsewhere(parts, isPdfAddress(value) ? "document" : medium, lowDetail)
  if (isSaidText(held)) return void parts.documents.push(documentOf(value, true))
  const type = typeOfDataUrl(value) ?? (stringOf(holder["media_type"]).toLowerCase() || undefined)
  const shown = type === undefined ? medium : mediumOfType(type)
  if (shown === "image") parts.images.push({ size: imageSize(value), lowDetail })
  else if (shown === "video") parts.videos++
  else if (shown === "audio") parts.audioCharacters += audioCharacters(held)
  else if (type === undefined && isAddressName(held.name)) addElsewhere(parts, shown, lowDetail)
  else parts.documents.push(documentOf(value, false))
}

const isAddressName = (name: string): boolean => (addressNames as ReadonlyArray<string>).includes(name)

/** What is not here, or can not be read. */
const addElsewhere = (parts: RequestParts, medium: Medium, lowDetail: boolean): void => {
  if (medium === "image") parts.images.push({ size: undefined, lowDetail })
  else if (medium === "document") parts.documents.push({ _tag: "Elsewhere" })
  // A sound may be as long as a video.
  else parts.videos++
}

const mediumOfType = (type: string): Medium =>
  (["image", "video", "audio"] as const).find((each) => type.startsWith(`${each}/`)) ?? "document"

/** Whatever says so: conversions go by the one or the other. */
const isSaidText = ({ holder: { filename, media_type: type }, value }: Held): boolean =>
  [stringOf(type), typeOfDataUrl(value) ?? (typeof filename === "string" ? typeByName(filename) : "")].some(
    isTextual
  )

/** Where a conversion looks for it, too: chat has it beside the address. */
const isLowDetail = ({ detail, image_url: image, type }: JsonObject): boolean =>
  type !== "computer_screenshot" &&
  (type !== "image" && isJsonObject(image) ? image["detail"] : detail) === "low"

/** In base64 of a compressed one: a second of WAV takes at least twice the bytes of the leanest of those. */
const audioCharacters = ({ holder, value }: Held): number =>
  holder["format"] === "wav" ? value.length / 2 : value.length
