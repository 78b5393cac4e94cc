/** OpenAI's words for what is wrong with a parameter. */
import type { Complaint } from "../Protocol.ts"

export const missingModel = (model: string): Complaint => ({
  status: 404,
  message: `The model \`${model}\` does not exist or you do not have access to it.`,
  code: "model_not_found"
})

export const missing = (param: string): Complaint => ({
  message: `Missing required parameter: '${param}'.`,
  param,
  code: "missing_required_parameter"
})

export const unknownParameter = (param: string): Complaint => ({
  message: `Unknown parameter: '${param}'.`,
  param,
  code: "unknown_parameter"
})

export const unsupported = (param: string, instead?: string): Complaint => ({
  message: `Unsupported parameter: '${param}' is not supported with this model.${instead === undefined ? "" : ` Use '${instead}' instead.`}`,
  param,
  code: "unsupported_parameter"
})

export const invalidValue = (param: string, value: unknown, supported: ReadonlyArray<string>): Complaint => ({
  message: `Invalid value: '${String(value)}'. Supported values are: ${listed(supported.map((item) => `'${item}'`))}.`,
  param,
  code: "invalid_value"
})

const listed = (words: ReadonlyArray<string>): string => {
  const [last] = words.slice(-1)
  if (words.length < 2) return last ?? ""
  return `${words.slice(0, -1).join(", ")}${words.length === 2 ? "" : ","} and ${last}`
}

export const tooLong = (param: string, limit: number, length: number): Complaint => ({
  message: `Invalid '${param}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${length} instead.`,
  param,
  code: "string_above_max_length"
})

export const emptyArray = (param: string): Complaint => ({
  message: `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
  param,
  code: "empty_array"
})

export const wrongType = (param: string, expected: string, actual: unknown): Complaint => ({
  message: `Invalid type for '${param}': expected ${expected}, but got ${actual === null ? "null" : Array.isArray(actual) ? "an array" : typeof actual} instead.`,
  param,
  code: "invalid_type"
})

export const wrongPattern = (param: string): Complaint => ({
  message: `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
  param,
  code: "invalid_value"
})

export const belowMinimum = (param: string, least: number, value: number): Complaint => ({
  message: `Invalid '${param}': integer below minimum value. Expected a value >= ${least}, but got ${value} instead.`,
  param,
  code: "integer_below_min_value"
})

export const onlyStreamed: Complaint = {
  message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  param: "stream_options"
}
