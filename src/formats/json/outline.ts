/**
 * A JSON text cut down to what an event loop can parse: values that are too long are left empty, those deep inside them
 * first. What a program looks for in a large event (its kind, its usage, an error) is short and stays.
 */
import { type Bounds, elementsOf, type Member, scanMembers, scanWithin, type Span } from "./scan.ts"

interface Room {
  bytes: number
}

/** A text that exceeds them is none. */
const textBounds: Bounds = { members: 1_000, values: 400_000, levels: 1_000_000 }
/** What is deeper or longer is left empty as a whole. */
const levelsMax = 4
const elementsMax = 1_000

const quote = 34
const openBrace = 123
const openBracket = 91

/** About `bytesMax` bytes of what the object `bytes` says; `undefined` where that is no whole object, or beyond all bounds. */
export const outline = (bytes: Buffer, bytesMax: number): string | undefined => {
  const members = scanWithin(bytes, textBounds)
  return typeof members === "object"
    ? objectOutline(bytes, members, { bytes: bytesMax }, levelsMax)
    : undefined
}

const objectOutline = (bytes: Buffer, members: ReadonlyArray<Member>, room: Room, levels: number): string => {
  if (members.length > elementsMax) return "{}"
  const texts = shortestFirst(members, lengthOfMember, ({ nameEnd, nameStart, valueEnd, valueStart }) => {
    if (room.bytes < nameEnd - nameStart) return ""
    room.bytes -= nameEnd - nameStart
    const value = valueOutline(bytes.subarray(valueStart, valueEnd), room, levels - 1)
    return `${bytes.toString("utf8", nameStart, nameEnd)}:${value}`
  })
  return `{${texts.filter((text) => text !== "").join(",")}}`
}

const valueOutline = (value: Buffer, room: Room, levels: number): string => {
  if (value.length <= room.bytes) {
    room.bytes -= value.length
    return value.toString("utf8")
  }
  switch (value[0]) {
    case quote:
      return '""'
    case openBrace: {
      const members = levels === 0 ? undefined : scanMembers(value)
      return members === undefined ? "{}" : objectOutline(value, members, room, levels)
    }
    case openBracket: {
      const elements = levels === 0 ? undefined : elementsOf(value, 0, elementsMax)
      if (elements === undefined) return "[]"
      const texts = shortestFirst(elements, lengthOf, ({ end, start }) =>
        valueOutline(value.subarray(start, end), room, levels - 1)
      )
      return `[${texts.join(",")}]`
    }
    default:
      return "null"
  }
}

/** The texts in the places of the values, which are made one after another by their length. */
const shortestFirst = <V>(
  values: ReadonlyArray<V>,
  length: (value: V) => number,
  make: (value: V) => string
): ReadonlyArray<string> => {
  const texts = values.map(() => "")
  const places = values.map((_, place) => place)
  places.sort((left, right) => length(values[left]!) - length(values[right]!))
  for (const place of places) texts[place] = make(values[place]!)
  return texts
}

const lengthOfMember = ({ valueEnd, valueStart }: Member): number => valueEnd - valueStart

const lengthOf = ({ end, start }: Span): number => end - start
