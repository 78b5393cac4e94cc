/**
 * What opens and ends a Responses stream tells the request again. Its instructions and tools are the longest of it, and nobody
 * needs them of there: they are not parsed where the event is as OpenAI writes it.
 */
import { type JsonObject, parseObject } from "../json/json.ts"
import { parseExactJson } from "../json/parse-exact-json.ts"
import { scanMembers } from "../json/scan.ts"
import { largeEventBytes } from "../stream/event-bounds.ts"

export interface ToldAgain {
  readonly type: string
  readonly isEnd: boolean
  readonly sequenceNumber: number
  /** Where its last member begins, in characters of ASCII. */
  readonly responseStart: number
}

const head =
  /^\{"type":"(response\.(?:created|in_progress|(completed|incomplete)))","sequence_number":(\d{1,15}),"response":\{/
/** The head is no longer. */
export const headBytesMax = 100

const ofRequest: ReadonlySet<string> = new Set(["instructions", "tools"])

/** `data`: of an event, or what it begins with. */
export const toldAgain = (data: string): ToldAgain | undefined => {
  const [begun, type, end, sequence] = head.exec(data) ?? []
  return begun === undefined
    ? undefined
    : {
        type: type!,
        isEnd: end !== undefined,
        sequenceNumber: Number(sequence),
        responseStart: begun.length - 1
      }
}

/** What an end says of its response but the request's longest members; `undefined` where `response` is no object. */
export const withoutRequest = (
  response: Buffer,
  parse?: (text: string) => unknown
): JsonObject | undefined => {
  const members = scanMembers(response)?.filter(({ name }) => !ofRequest.has(name))
  const texts = members?.map(({ nameStart, valueEnd }) => response.toString("utf8", nameStart, valueEnd))
  return texts && parseObject(`{${texts.join(",")}}`, parse)
}

/** Such an event as a converter reads it: of an opening the type alone. `undefined` for any other, and for a very large end. */
export const readToldAgain = (data: string): JsonObject | undefined => {
  const told = toldAgain(data)
  if (told === undefined) return undefined
  const { isEnd, responseStart, type } = told
  if (!isEnd) return data.endsWith("}}") ? { type } : undefined
  if (data.length > largeEventBytes || !data.endsWith("}")) return undefined
  const response = withoutRequest(Buffer.from(data.slice(responseStart, -1)), parseExactJson)
  return response && { type, response }
}
