/** A field of a request is missing or wrong: a 400 whose message names it. */
export class InvalidParameter extends Error {
  override readonly name = "InvalidParameter"
  readonly parameter: string

  constructor(parameter: string, problem: string) {
    super(`${parameter}: ${problem}`)
    this.parameter = parameter
  }
}

/** The field as a string that says something. */
export const requiredText = (value: unknown, parameter: string): string => {
  if (value === undefined || value === null) throw new InvalidParameter(parameter, "this field is required")
  if (typeof value !== "string") throw new InvalidParameter(parameter, "must be a string")
  if (value.trim() === "") throw new InvalidParameter(parameter, "must not be empty")
  return value
}
