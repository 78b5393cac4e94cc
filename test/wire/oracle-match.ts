/** The kinds of match the oracle's index describes. Each gives the first difference as text, or `undefined`. */
import { isDeepStrictEqual } from "node:util"

type Shape = Readonly<Record<string, unknown>>

const isShape = (value: unknown): value is Shape =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Every key of `expected` equals in `actual`; `prefix` lets arrays be longer than expected. */
export const subsetDifference = (
  actual: unknown,
  expected: unknown,
  path = "",
  prefix = false
): string | undefined => {
  const differs = `${path || "it"} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return differs
    if (prefix ? actual.length < expected.length : actual.length !== expected.length) return differs
    return first(
      expected.map((item, index) => subsetDifference(actual[index], item, `${path}[${index}]`, prefix))
    )
  }
  if (!isShape(expected)) return isDeepStrictEqual(actual, expected) ? undefined : differs
  if ("$any" in expected) return actual === undefined ? differs : undefined
  if ("$text" in expected) return textOf(actual) === expected.$text ? undefined : differs
  if ("$json" in expected) {
    return typeof actual === "string" && isDeepStrictEqual(JSON.parse(actual), expected.$json)
      ? undefined
      : differs
  }
  if ("$in" in expected) {
    const allowed = expected.$in as ReadonlyArray<unknown>
    return allowed.some((one) => subsetDifference(actual, one) === undefined) ? undefined : differs
  }
  if (!isShape(actual)) return differs
  return first(
    Object.entries(expected).map(([key, value]) =>
      subsetDifference(actual[key], value, `${path}.${key}`, prefix)
    )
  )
}

const first = (differences: ReadonlyArray<string | undefined>): string | undefined =>
  differences.find((difference) => difference !== undefined)

const textOf = (value: unknown): unknown => {
  if (!Array.isArray(value)) return isShape(value) && value.type === "text" ? value.text : value
  return value.length === 1 ? textOf(value[0]) : undefined
}

/** Whether a path like `choices[0].message.tool_calls` leads anywhere. */
export const exists = (value: unknown, path: string): boolean =>
  path
    .split(/[.[\]]+/)
    .filter((step) => step !== "")
    .reduce<unknown>((at, step) => (at as Shape | undefined)?.[step], value) !== undefined

/** Ordered events of a Messages stream; pings are ignored and adjacent deltas of one block count as one. */
export const eventsDifference = (
  actual: ReadonlyArray<unknown>,
  expected: ReadonlyArray<unknown>,
  allowExtra: ReadonlyArray<string> = []
): string | undefined => {
  const seen = joinDeltas(withoutExtra(actual.filter(isShape), allowExtra))
  return subsetDifference(seen, joinDeltas(expected.filter(isShape)))
}

const withoutExtra = (events: ReadonlyArray<Shape>, allowed: ReadonlyArray<string>): ReadonlyArray<Shape> =>
  events.filter((event, index) => {
    if (event.type === "ping") return false
    if (allowed.includes("signature_delta") && deltaType(event) === "signature_delta") return false
    if (!allowed.includes("empty text block")) return true
    const opens = (one: Shape | undefined) => (one?.content_block as Shape | undefined)?.type === "text"
    const closes = (one: Shape | undefined) => one?.type === "content_block_stop"
    return !(opens(event) && closes(events[index + 1])) && !(closes(event) && opens(events[index - 1]))
  })

const deltaType = (event: Shape | undefined): unknown => (event?.delta as Shape | undefined)?.type

const pieceNames = ["text", "thinking", "partial_json"]

const joinDeltas = (events: ReadonlyArray<Shape>): ReadonlyArray<Shape> => {
  const joined: Array<Shape> = []
  for (const event of events) {
    const last = joined.at(-1)
    const name = pieceNames.find((piece) => typeof (event.delta as Shape | undefined)?.[piece] === "string")
    if (
      name === undefined ||
      last === undefined ||
      last.index !== event.index ||
      deltaType(last) !== deltaType(event)
    )
      joined.push(event)
    else {
      const before = last.delta as Shape
      const piece = `${before[name] as string}${(event.delta as Shape)[name] as string}`
      joined[joined.length - 1] = { ...last, delta: { ...before, [name]: piece } }
    }
  }
  return joined
}

/** What holds for every Messages stream that ended well. */
export const messagesStreamDifference = (events: ReadonlyArray<unknown>): string | undefined => {
  const types = events.filter(isShape).filter((event) => event.type !== "ping")
  let open: Shape | undefined
  let index = 0
  for (const event of types.slice(1, -2)) {
    if (event.type === "content_block_start") {
      if (open !== undefined || event.index !== index)
        return `a block opens out of turn: ${JSON.stringify(event)}`
      open = event.content_block as Shape
    } else if (open === undefined || event.index !== index)
      return `outside its block: ${JSON.stringify(event)}`
    else if (event.type === "content_block_delta") {
      const fits = (deltasOf[open.type as string] ?? []).includes(deltaType(event) as string)
      if (!fits) return `${deltaType(event) as string} in a ${open.type as string} block`
    } else if (event.type === "content_block_stop") {
      open = undefined
      index++
    } else return `unexpected ${JSON.stringify(event)}`
  }
  if (open !== undefined) return "a block is left open"
  const frame = [types[0]?.type, types.at(-2)?.type, types.at(-1)?.type]
  return isDeepStrictEqual(frame, ["message_start", "message_delta", "message_stop"])
    ? undefined
    : `begins and ends with ${frame.join(", ")}`
}

const deltasOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  text: ["text_delta", "citations_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"]
}
