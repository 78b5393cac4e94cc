/** What chat and Responses refuse alike. */
import { isJsonObject, type Json, type JsonObject, listOf, objectOf } from "../../formats/json/json.ts"
import type { Complaint } from "../Protocol.ts"
import { givenString } from "../read-json.ts"
import { tooLong, wrongPattern, wrongType } from "./complaints.ts"

const nameLengthMax = 64

/** For a name of a function wherever it stands. */
export const checkName = (name: string, at: string): Complaint | undefined => {
  if (name.length > nameLengthMax) return tooLong(at, nameLengthMax, name.length)
  return /^[a-zA-Z0-9_-]+$/.test(name) ? undefined : wrongPattern(at)
}

/** For what a function declares, wherever that stands. */
export const checkParameters = (declared: JsonObject, name: string, at: string): Complaint | undefined => {
  const parameters = declared["parameters"]
  if (parameters === undefined || parameters === null) return undefined
  const complain = (what: string): Complaint => ({
    message: `Invalid schema for function '${name}': ${what}`,
    param: at,
    code: "invalid_function_parameters"
  })
  if (!isJsonObject(parameters) || parameters["type"] !== "object")
    return complain(
      `schema must be a JSON Schema of 'type: "object"', got 'type: "${isJsonObject(parameters) ? String(parameters["type"] ?? "None") : "None"}"'.`
    )
  if (parameters["properties"] === undefined)
    return complain("In context=(), object schema missing properties.")
  for (const union of ["oneOf", "anyOf", "allOf", "enum", "not"])
    if (parameters[union] !== undefined)
      return complain(
        `schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`
      )
  const problem = declared["strict"] === true ? strictProblem(parameters) : undefined
  return problem === undefined ? undefined : complain(problem)
}

/** What is wrong with a strict schema that lets members through which it does not name. */
export const openObject = "In context=(), 'additionalProperties' is required to be supplied and to be false."

/** What is wrong with the schema of an object where it is to be strict. */
export const strictProblem = (schema: JsonObject): string | undefined => {
  if (schema["additionalProperties"] !== false) return openObject
  const required = listOf(schema["required"])
  return Object.keys(objectOf(schema["properties"])).every((name) => required.includes(name))
    ? undefined
    : "In context=(), 'required' is required to be supplied and to be an array including every key in properties."
}

export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

/** A number from 0 to `most`. */
export const checkDecimal = (value: Json | undefined, at: string, most: number): Complaint | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value !== "number") return wrongType(at, "a decimal", value)
  if (value >= 0 && value <= most) return undefined
  return value < 0
    ? {
        message: `Invalid '${at}': decimal below minimum value. Expected a value >= 0, but got ${value} instead.`,
        param: at,
        code: "decimal_below_min_value"
      }
    : {
        message: `Invalid '${at}': decimal above maximum value. Expected a value <= ${most}, but got ${value} instead.`,
        param: at,
        code: "decimal_above_max_value"
      }
}

const identifierLengthMax = 64

/** What a caller calls its own users by. */
export const checkIdentifiers = (body: JsonObject, names: ReadonlyArray<string>): Complaint | undefined => {
  for (const name of names) {
    const value = givenString(body[name])
    if (value !== undefined && value.length > identifierLengthMax)
      return tooLong(name, identifierLengthMax, value.length)
  }
  return undefined
}
