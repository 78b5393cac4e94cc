/** Reads the fields of a request of unknown shape. What is wrong is refused by the field's name, and never throws a TypeError. */
import { Data, Result } from "effect"
import { isAbsent, isJsonObject, type Json, type JsonObject } from "./json.ts"

/** The request can not be served as it was sent: a 400 whose message names `field`. */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<{
  readonly field: string
  readonly message: string
  /** What clients read beside the message, where the protocol has it. */
  readonly details?: JsonObject
}> {}

/** Refuses the request from anywhere inside `refusable`. */
export const refuse = (field: string, problem: string, details?: JsonObject): never => {
  throw new InvalidRequest({ field, message: `${field}: ${problem}`, ...(details && { details }) })
}

/** Refuses what stands at `field` for its type. */
export const refuseType = (
  what: "content" | "tools" | "a source",
  { type }: JsonObject,
  field: string
): never => refuse(`${field}.type`, `${what} of type ${JSON.stringify(type)} can not be used on this model`)

/** Runs a conversion; what it refuses becomes a failure, a bug stays a bug. */
export const refusable = <A>(convert: () => A): Result.Result<A, InvalidRequest> =>
  Result.try({
    try: convert,
    catch: (error) => {
      if (error instanceof InvalidRequest) return error
      throw error
    }
  })

export const objectAt = (value: Json | undefined, field: string): JsonObject =>
  isJsonObject(value) ? value : refuse(field, value === undefined ? "is required" : "must be an object")

export const arrayAt = (value: Json | undefined, field: string): ReadonlyArray<Json> =>
  Array.isArray(value) ? value : refuse(field, value === undefined ? "is required" : "must be an array")

export const stringAt = (value: Json | undefined, field: string): string =>
  typeof value === "string" ? value : refuse(field, value === undefined ? "is required" : "must be a string")

/** An absent or null field is `undefined`. */
export const optional = <A>(
  read: (value: Json | undefined, field: string) => A,
  value: Json | undefined,
  field: string
): A | undefined => (isAbsent(value) ? undefined : read(value, field))

/** What is absent or null is empty. */
export const optionalText = (value: Json | undefined, field: string): string =>
  optional(stringAt, value, field) ?? ""

export const optionalArray = (value: Json | undefined, field: string): ReadonlyArray<Json> =>
  optional(arrayAt, value, field) ?? []

export const optionalObject = (value: Json | undefined, field: string): JsonObject =>
  optional(objectAt, value, field) ?? {}

export const numberAt = (value: Json | undefined, field: string): number =>
  typeof value === "number" && Number.isFinite(value) ? value : refuse(field, "must be a number")

/** Some clients write an empty text as null. */
export const textAt = (value: Json | undefined, field: string): string =>
  value === null ? "" : stringAt(value, field)

/** A text that must say something. */
export const filledTextAt = (value: Json | undefined, field: string): string => {
  const text = stringAt(value ?? undefined, field)
  return text.trim() === "" ? refuse(field, "must not be empty") : text
}

export const booleanAt = (value: Json | undefined, field: string): boolean =>
  typeof value === "boolean" ? value : refuse(field, "must be true or false")

export const positiveIntegerAt = (value: Json | undefined, field: string): number =>
  isCount(value) && value > 0
    ? value
    : refuse(field, value === undefined ? "is required" : "must be a positive integer")

/** Zero included. */
export const countAt = (value: Json | undefined, field: string): number =>
  isCount(value)
    ? value
    : refuse(field, value === undefined ? "is required" : "must be an integer of at least 0")

const isCount = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
