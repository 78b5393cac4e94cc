/** Values just within and just beyond what the API's document says of a field. */
export interface Described {
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Described>
  readonly items?: Described
  readonly pattern?: string
  readonly multipleOf?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** Without `null`, which may stand beside it. */
const given = (field: Described): Described => field.anyOf?.find(({ type }) => type !== "null") ?? field

/** Each is wrong in one way. */
export const beyond = (described: Described): ReadonlyArray<unknown> => {
  const field = given(described)
  switch (field.type) {
    case "integer":
    case "number":
      return ["1", ...beyondNumber(field)]
    case "string":
      return [1, ...beyondText(field)]
    case "array":
      return ["a", ...beyondList(field)]
    default:
      return ["a"]
  }
}

const beyondNumber = ({ exclusiveMinimum, maximum, minimum, multipleOf, type }: Described) => [
  ...(type === "integer" || multipleOf === 1 ? [(minimum ?? 0) + 1.5] : []),
  ...(minimum === undefined ? [] : [minimum - 1]),
  ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
  ...(maximum === undefined ? [] : [maximum + 1])
]

const beyondText = ({ enum: known, maxLength, minLength = 0, pattern }: Described) => [
  ...(known === undefined ? [] : ["no such"]),
  ...(minLength === 0 ? [] : ["a".repeat(minLength - 1)]),
  ...(maxLength === undefined ? [] : ["a".repeat(maxLength + 1)]),
  ...(pattern === undefined ? [] : [["!", "\0"].find((text) => !new RegExp(pattern, "u").test(text))])
]

const beyondList = ({ items, maxItems, minItems = 0 }: Described) => [
  ...(items === undefined ? [] : beyond(items).map((item) => [item])),
  ...(minItems === 0 ? [] : [[]]),
  ...(maxItems === undefined
    ? []
    : [Array.from({ length: maxItems + 1 }, (_, index) => items?.enum?.[0] ?? `a${index}`)])
]

/** The least and the most that is described. */
export const within = (described: Described): ReadonlyArray<unknown> => {
  const { enum: known, maximum, maxLength, minimum, minLength, pattern } = given(described)
  if (known !== undefined) return known
  const numbers = [minimum, maximum].filter((bound) => bound !== undefined)
  const lengths = [minLength, maxLength].filter((bound) => bound !== undefined)
  // Also of characters that are two units of UTF-16.
  return pattern === undefined
    ? [...numbers, ...lengths.flatMap((length) => ["a".repeat(length), "😀".repeat(length)])]
    : numbers
}
