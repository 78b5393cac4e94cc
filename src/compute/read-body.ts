/** Parses a request's body; throws `Unprepared` for anything but one whole JSON object. */
import { isUtf8 } from "node:buffer"
import { Data, Result } from "effect"
import type { InvalidRequest } from "../formats/json/fields.ts"
import type { JsonObject } from "../formats/json/json.ts"
import { withoutLongTexts } from "../formats/json/long-texts.ts"
import { type Form, isForm, readForm } from "../formats/images/form.ts"
import { type Bounds, type Member, readMember, scanWithin } from "../formats/json/scan.ts"
import { bodyBounds } from "./bounds.ts"
import { bufferOf } from "./share-bytes.ts"

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

/** There is more to it than this thread may take up, but nothing wrong with it. */
export class TooMuchHere extends Data.TaggedError("TooMuchHere")<{}> {}

/** A body that will be written anew is read by a `parse` that loses nothing of it. */
export const readBody = (
  body: Buffer,
  bounds: Bounds,
  parse: (text: string) => unknown = JSON.parse
): { readonly members: ReadonlyArray<Member>; readonly parsed: JsonObject } => {
  const { members } = findValid(body, bounds)
  return { members, parsed: parsedBy(parse, body.toString("utf8")) }
}

/** The same where nobody reads the words of long texts: their places stand for them, and they are not checked. */
export const readBodyWithoutLongTexts = (body: Buffer, bounds: Bounds): ReturnType<typeof readBody> => {
  const { longStrings, members } = findValid(body, bounds)
  return { members, parsed: parsedBy(JSON.parse, withoutLongTexts(body, longStrings)) }
}

/** What looks at the texts themselves throws a `SyntaxError`. */
export const orInvalidJson = <A>(read: () => A): A => {
  try {
    return read()
  } catch (error) {
    throw error instanceof SyntaxError ? invalidJson() : error
  }
}

const invalidJson = (): Unprepared => refused("The body is not valid JSON.")

const findValid = (body: Buffer, bounds: Bounds): Found => {
  if (!isUtf8(body)) throw refused("The body is not valid UTF-8.")
  return findIn(body, bounds)
}

const parsedBy = (parse: (text: string) => unknown, text: string): JsonObject => {
  try {
    return parse(text) as JsonObject
  } catch {
    throw invalidJson()
  }
}

const nameLengthMax = 1_000

/** The name of the model that a body asks for, found without parsing the rest of it; throws `Unprepared`. */
export const readModelName = (bytes: Uint8Array, bounds = bodyBounds): string => {
  const body = bufferOf(bytes)
  const name = isForm(body) ? modelOfForm(body) : readMember(body, membersOf(body, bounds), "model")
  if (name === undefined) throw refused("model: is required", "model")
  if (typeof name !== "string" || name === "") throw refused("model: must be a string", "model")
  if (name.length > nameLengthMax)
    throw refused(`model: must not be longer than ${nameLengthMax} characters`, "model")
  return name
}

/** The form that a body is; throws `Unprepared`. */
export const formOf = (body: Buffer): Form => {
  const form = readForm(body)
  if (typeof form === "string") throw refused(`The body is no valid form: ${form}.`)
  return form
}

const modelOfForm = (body: Buffer): string | undefined => {
  const field = formOf(body).fields.find(({ name }) => name === "model")
  return field === undefined ? undefined : body.toString("utf8", field.valueStart, field.valueEnd)
}

/** A body is looked at for its model first, and prepared in the same turn: what was found in it serves twice. */
let lastFound: Found | undefined
/** Large ones may be prepared in a later turn, after others were looked at: −7 % CPU a call with 500 KB, 8 at a time. */
const foundInLarge = new WeakMap<Buffer, Found>()
const largeBytes = 64 * 1024

/** What one pass over a body has found. */
interface Found {
  readonly body: Buffer
  readonly bounds: Bounds
  readonly members: ReadonlyArray<Member>
  /** Where its long strings start and end, by turns. */
  readonly longStrings: ReadonlyArray<number>
}

const membersOf = (body: Buffer, bounds: Bounds): ReadonlyArray<Member> => findIn(body, bounds).members

const findIn = (body: Buffer, bounds: Bounds): Found => {
  const isLarge = body.length >= largeBytes
  const known = isLarge ? foundInLarge.get(body) : lastFound
  if (known?.body === body && known.bounds === bounds) return known
  const longStrings: Array<number> = []
  const found = { body, bounds, members: findMembers(body, bounds, longStrings), longStrings }
  // A small one is kept until the next.
  if (isLarge) foundInLarge.set(body, found)
  else lastFound = found
  return found
}

const findMembers = (body: Buffer, bounds: Bounds, longStrings: Array<number>): ReadonlyArray<Member> => {
  const found = scanWithin(body, bounds, longStrings)
  if (found === undefined) throw refused(`The body is not valid JSON: ${expected(body)}`)
  if (typeof found !== "string") return found
  if (bounds[found] < bodyBounds[found]) throw new TooMuchHere()
  throw refused(beyond[found])
}

const beyond: Readonly<Record<keyof Bounds, string>> = {
  members: `The body has more than ${bodyBounds.members} members.`,
  values: `The body has more than ${bodyBounds.values} values.`,
  levels: `The body is nested deeper than ${bodyBounds.levels} levels.`
}

const expected = (body: Buffer): string =>
  body.subarray(0, 2).toString("latin1") === "--"
    ? "an object is expected, not a form, which edits of images alone may be."
    : "an object is expected."
