/** What a case says of the request that the provider got. */
import { assert } from "@effect/vitest"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { difference, isShape, listOf, valueAt } from "./match.ts"
import { type Part, readUpstream, type Turn, type UpstreamRequest } from "./read-upstream.ts"
import type { Asked } from "./ScriptedUpstream.ts"

export interface Sent {
  readonly text: string
  readonly body: JsonObject
}

export const checkUpstream = (asked: Asked, expected: JsonObject, sent: Sent): void => {
  const request = readUpstream(asked)
  const same = (name: string, problem: string | undefined) =>
    assert.isUndefined(problem, `upstream ${name}: ${problem}\n${asked.text.slice(0, 4_000)}`)
  const checks: Readonly<Record<string, (value: never) => string | undefined>> = {
    path: (value: string) => (new RegExp(value).test(asked.path) ? undefined : asked.path),
    system: (value: ReadonlyArray<string>) => difference(flat(request.system), flat(value)),
    turns: (value: ReadonlyArray<ReadonlyArray<unknown>>) => turnsDifference(request.turns, value),
    parts: (value: ReadonlyArray<unknown>) => partsDifference(request.turns, value),
    paired: () => unpaired(request.turns),
    calls_offered: () => notOffered(request),
    body: (value: unknown) => difference(asked.body, value),
    absent: (value: ReadonlyArray<string>) =>
      value.find((path) => (valueAt(asked.body, path) ?? null) !== null),
    has: (value: unknown) => listOf(value).find((text) => !holds(asked, text)),
    never: (value: unknown) => listOf(value).find((text) => holds(asked, text)),
    unchanged: () => changed(asked, sent, listOf(expected.cut)),
    cut: () => undefined
  }
  for (const [name, value] of Object.entries(expected)) {
    const check = checks[name]
    if (check !== undefined) same(name, check(value as never))
    else same(name, difference(request[name as keyof UpstreamRequest], value))
  }
}

const flat = (texts: ReadonlyArray<string>): string => texts.map(flatText).join("")
const flatText = (text: string): string => text.replace(/\n/g, "")

const partDifference = (actual: Part | undefined, expected: unknown, exact: boolean): string | undefined => {
  if (typeof expected === "string" && typeof actual === "string") {
    const [seen, wanted] = [flatText(actual), flatText(expected)]
    return (exact ? seen === wanted : seen.includes(wanted)) ? undefined : `${actual} is not ${expected}`
  }
  if (isShape(expected) && "text" in expected && typeof actual === "string")
    return difference(actual, expected["text"])
  if (!isShape(expected)) return difference(actual, expected)
  const { text, ...rest } = expected
  const told = difference(actual, rest)
  const said = isShape(actual) ? actual["text"] : actual
  if (told !== undefined || text === undefined) return told
  return typeof text === "string" && typeof said === "string" && flatText(said) === flatText(text)
    ? undefined
    : difference(said, text)
}

const turnsDifference = (
  actual: ReadonlyArray<Turn>,
  expected: ReadonlyArray<ReadonlyArray<unknown>>
): string | undefined => {
  if (actual.length !== expected.length) return `${expected.length} turns are not ${JSON.stringify(actual)}`
  for (const [index, [role, ...parts]] of expected.entries()) {
    const turn = actual[index]!
    if (turn.role !== role || turn.parts.length !== parts.length)
      return `turn ${index} is ${JSON.stringify(turn)}, not ${JSON.stringify([role, ...parts])}`
    for (const [place, part] of parts.entries()) {
      const told = partDifference(turn.parts[place], part, true)
      if (told !== undefined) return `turn ${index}, part ${place}: ${told}`
    }
  }
  return undefined
}

const partsDifference = (
  turns: ReadonlyArray<Turn>,
  expected: ReadonlyArray<unknown>
): string | undefined => {
  const parts = turns.flatMap((turn) => turn.parts)
  let at = 0
  for (const part of expected) {
    const found = parts.findIndex(
      (one, place) => place >= at && partDifference(one, part, false) === undefined
    )
    if (found === -1) return `${JSON.stringify(part)} is not in ${JSON.stringify(parts.slice(at))}`
    // Texts that were said one after the other have become one.
    at = typeof parts[found] === "string" ? found : found + 1
  }
  return undefined
}

const idsOf = (turn: Turn | undefined, name: "call" | "result"): ReadonlyArray<unknown> =>
  (turn?.parts ?? []).flatMap((part) => (typeof part === "object" && name in part ? [part[name]] : []))

const unpaired = (turns: ReadonlyArray<Turn>): string | undefined => {
  for (const [index, turn] of turns.entries()) {
    const calls = idsOf(turn, "call")
    const answered = idsOf(turns[index + 1], "result")
    if (calls.length > 0 && difference(answered.toSorted(), calls.toSorted()) !== undefined)
      return `calls ${JSON.stringify(calls)} are answered by ${JSON.stringify(answered)}`
    const results = idsOf(turn, "result")
    const before = idsOf(turns[index - 1], "call")
    const orphan = results.find((id) => !before.includes(id))
    if (orphan !== undefined) return `${JSON.stringify(orphan)} answers no call`
  }
  return undefined
}

const notOffered = ({ tools, turns }: UpstreamRequest): string | undefined => {
  const names = tools.map(({ name }) => name)
  if (new Set(names).size !== names.length) return `two tools have one name: ${JSON.stringify(names)}`
  const calls = turns
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (typeof part === "object" && "call" in part ? [part.name] : []))
  const unknown = calls.find((name) => !names.includes(name))
  return unknown === undefined ? undefined : `${String(unknown)} is not among ${JSON.stringify(names)}`
}

const stringsIn = (value: unknown): string =>
  typeof value === "string"
    ? value
    : typeof value === "object" && value !== null
      ? Object.values(value).map(stringsIn).join("\n")
      : ""

const holds = ({ body, text }: Asked, wanted: string): boolean =>
  text.includes(wanted) || stringsIn(body).includes(wanted)

/** The client's own bytes, but for the model and what was to be cut out of them. */
const changed = (asked: Asked, sent: Sent, cut: ReadonlyArray<string>): string | undefined => {
  const model = JSON.stringify(asked.body.model)
  if (cut.length === 0) {
    const wanted = sent.text.replace(/^\{"model":"[^"]*"/, `{"model":${model}`)
    return asked.text === wanted ? undefined : `${asked.text} is not ${wanted}`
  }
  const left = structuredClone(sent.body) as Record<string, unknown>
  for (const path of cut.toSorted().toReversed()) {
    const steps = path.split(".")
    const holder = valueAt(left, steps.slice(0, -1).join("."))
    if (Array.isArray(holder)) holder.splice(Number(steps.at(-1)), 1)
    else delete (holder as Record<string, unknown>)[steps.at(-1)!]
  }
  const problem = difference(asked.body, { $same: { ...left, model: asked.body.model } })
  if (problem !== undefined) return problem
  // Every byte that is there stands in the client's in this order.
  return asked.text.length < sent.text.length ? undefined : "it has not become shorter"
}
