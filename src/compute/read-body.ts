/** Parses a request's body; throws `Unprepared` for anything but one whole JSON object. */
import { isUtf8 } from "node:buffer"
import { Data, Result } from "effect"
import { type InvalidRequest, nestedTooDeeply } from "../formats/json/fields.ts"
import { isJsonObject, type JsonObject } from "../formats/json/json.ts"
import { type Member, readMember, scanMembers } from "../formats/json/splice.ts"

/** The body can not be served; a 400 whose message names the field. Plain data: it crosses threads. */
export class Unprepared extends Data.TaggedError("Unprepared")<{
  readonly message: string
  readonly field: string | undefined
  readonly details: JsonObject | undefined
}> {}

const refused = (message: string, field?: string, details?: JsonObject): Unprepared =>
  new Unprepared({ message, field, details })

/** What was read of a body, unless it was refused. */
export const orRefuse = <A>(read: Result.Result<A, InvalidRequest>): A =>
  Result.getOrThrowWith(read, ({ details, field, message }) => refused(message, field, details))

/** A body that will be written anew is read by a `parse` that loses nothing of it. */
export const readBody = (
  body: Buffer,
  parse: (text: string) => unknown = JSON.parse
): { readonly members: ReadonlyArray<Member>; readonly parsed: JsonObject } => {
  if (!isUtf8(body)) throw refused("The body is not valid UTF-8.")
  let parsed: unknown
  try {
    parsed = parse(body.toString("utf8"))
  } catch {
    throw refused("The body is not valid JSON.")
  }
  const members = scanMembers(body)
  if (!isJsonObject(parsed) || members === undefined) throw refused("The body must be a JSON object.")
  if (nestedTooDeeply(parsed)) throw refused("The body is nested too deeply.")
  return { members, parsed }
}

/** The name of the model that a body asks for, found without parsing the rest of it; throws `Unprepared`. */
export const readModelName = (bytes: Uint8Array): string => {
  const body = bufferOf(bytes)
  const members = scanMembers(body)
  if (members === undefined) throw refused(`The body is not valid JSON: ${expected(body)}`)
  const name = readMember(body, members, "model")
  if (name === undefined) throw refused("model: is required", "model")
  if (typeof name !== "string" || name === "") throw refused("model: must be a string", "model")
  return name
}

/** The OpenAI SDK sends images as a form. */
const expected = (body: Buffer): string =>
  body.subarray(0, 2).toString("latin1") === "--"
    ? "an object is expected, not a form. It holds an image as base64, a data URL or an http(s) URL."
    : "an object is expected."

/** The same memory. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
