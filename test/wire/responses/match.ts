/** Whether a value is what a case says: objects as subsets, lists item by item, `$…` values by their meaning. */
import { isDeepStrictEqual } from "node:util"

type Shape = Readonly<Record<string, unknown>>

export const isShape = (value: unknown): value is Shape =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The first difference in words; `undefined` where there is none. */
export const difference = (actual: unknown, expected: unknown, path = "it"): string | undefined => {
  if (isShape(expected)) {
    const special = Object.keys(expected).find((key) => key.startsWith("$"))
    if (special !== undefined) return specialDifference(actual, expected, path)
    if (!isShape(actual)) return differs(actual, expected, path)
    return firstOf(Object.entries(expected), ([key, value]) =>
      difference(actual[key], value, `${path}.${key}`)
    )
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return differs(actual, expected, path)
    return firstOf([...expected.entries()], ([index, value]) =>
      difference(actual[index], value, `${path}[${index}]`)
    )
  }
  const same =
    expected === null ? actual === null || actual === undefined : isDeepStrictEqual(actual, expected)
  return same ? undefined : differs(actual, expected, path)
}

const specialDifference = (actual: unknown, expected: Shape, path: string): string | undefined => {
  const fails = (problem: boolean) => (problem ? differs(actual, expected, path) : undefined)
  return firstOf(Object.entries(expected), ([name, value]) => {
    switch (name) {
      case "$any":
        return fails(actual === undefined || actual === null)
      case "$absent":
        return fails(actual !== undefined && actual !== null)
      case "$in":
        return fails(!(value as ReadonlyArray<unknown>).some((one) => difference(actual, one) === undefined))
      case "$has":
        return fails(listOf(value).some((text) => !asText(actual).includes(text)))
      case "$hasNot":
        return fails(listOf(value).some((text) => asText(actual).includes(text)))
      case "$re":
        return fails(typeof actual !== "string" || !new RegExp(value as string, "u").test(actual))
      case "$json":
        return difference(parsed(actual), value, `${path} as JSON`)
      case "$text":
        return fails(flatText(actual) !== value)
      case "$length":
        return fails(!Array.isArray(actual) || actual.length !== value)
      case "$same":
        return fails(!isDeepStrictEqual(actual, value))
      default:
        return `${name} is not known to this test`
    }
  })
}

export const listOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? (value as ReadonlyArray<string>) : value === undefined ? [] : [value as string]

/** The text itself, or the JSON of what is none. */
export const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "")

const parsed = (value: unknown): unknown => {
  try {
    return JSON.parse(String(value))
  } catch {
    return value
  }
}

/** Text as a string or as parts. */
const flatText = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(flatText).join("")
  return isShape(value) && "text" in value ? value["text"] : value
}

const differs = (actual: unknown, expected: unknown, path: string): string =>
  `${path} is ${shown(actual)}, expected ${shown(expected)}`

const shown = (value: unknown): string => (JSON.stringify(value) ?? "absent").slice(0, 2_000)

/** What is told of the first of them of which anything is. */
export const firstOf = <A>(
  all: ReadonlyArray<A>,
  tell: (one: A) => string | undefined
): string | undefined => {
  for (const one of all) {
    const told = tell(one)
    if (told !== undefined) return told
  }
  return undefined
}

/** What stands at a path such as `input.1` or `tool_choice.name`. */
export const valueAt = (value: unknown, path: string): unknown =>
  path
    .split(/[.[\]]+/)
    .filter((step) => step !== "")
    .reduce<unknown>((at, step) => (at as Shape | null | undefined)?.[step], value)
