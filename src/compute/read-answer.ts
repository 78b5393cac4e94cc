/** Reads an upstream's whole answer: what the client gets of it, and what it is billed by. Pure and plain data. */
import { Data, Result } from "effect"
import type { Model } from "../domain/catalogue.ts"
import type { Usage } from "../domain/usage.ts"
import type { ConversionContext } from "../formats/convert/conversion.ts"
import { type StreamFailure, unreadable } from "../formats/errors/stream-failure.ts"
import { errorIn, mapStreamError } from "../formats/errors/upstream-errors.ts"
import { isJsonObject, type JsonObject } from "../formats/json/json.ts"
import { type Bounds, scanWithin } from "../formats/json/splice.ts"
import { meterAnswer } from "../formats/meter/meter-answer.ts"
import type { Pair } from "../formats/Pair.ts"
import { pairOf, type Way } from "../formats/pairs.ts"
import { outputTokens } from "../tokens/output-tokens.ts"
import { answerBounds } from "./bounds.ts"
import { bufferOf, TooMuchHere } from "./read-body.ts"

export interface ReadAnswerTask {
  readonly way: Way
  readonly model: Model
  readonly bytes: Uint8Array
  readonly context: ConversionContext
}

export interface AnswerRead {
  readonly bytes: Uint8Array
  readonly usage: Usage
  /** The upstream gave no usage: this is the gateway's own count. */
  readonly estimated: boolean
  readonly storedId: string | undefined
}

/** The answer is an error in a success's clothes, or nothing that can be read. */
export class AnswerUnreadable extends Data.TaggedError("AnswerUnreadable")<{
  readonly failure: StreamFailure
}> {}

/** Throws `AnswerUnreadable`, and `TooMuchHere` where the bounds are not those of every answer. */
export const readAnswer = (task: ReadAnswerTask, bounds = answerBounds): AnswerRead => {
  const pair = pairOf(task.way)
  const bytes = bufferOf(task.bytes)
  const json = withoutMark(bytes)
  checkBounds(json, bounds)
  const answer = parse(json.toString("utf8"), pair)
  const usage = pair.usage(answer)
  return {
    bytes: orFail(pair.answer(answer, bytes, task.context)),
    usage: usage ?? ownCount(pair, answer, task),
    estimated: usage === undefined,
    storedId: pair.storedId(answer)
  }
}

/** A byte order mark is no JSON, but clients that read bytes drop it like all decoders of the web. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

const checkBounds = (json: Buffer, bounds: Bounds): void => {
  const found = scanWithin(json, bounds)
  if (typeof found === "string" && bounds[found] < answerBounds[found]) throw new TooMuchHere()
  if (found === undefined || typeof found === "string") throw new AnswerUnreadable({ failure: unreadable })
}

const parse = (text: string, pair: Pair): JsonObject => {
  let parsed: unknown
  try {
    parsed = pair.parse(text)
  } catch {
    throw new AnswerUnreadable({ failure: unreadable })
  }
  if (!isJsonObject(parsed)) throw new AnswerUnreadable({ failure: unreadable })
  const error = errorIn(parsed)
  if (error !== undefined) throw new AnswerUnreadable({ failure: mapStreamError(error) })
  return parsed
}

const ownCount = (pair: Pair, answer: JsonObject, { context, model }: ReadAnswerTask): Usage => {
  const readable = pair.readable === undefined ? answer : orFail(pair.readable(answer, context))
  return { inputTokens: context.inputEstimate, outputTokens: outputTokens(meterAnswer(readable), model) }
}

const orFail = <A>(read: Result.Result<A, StreamFailure>): A =>
  Result.getOrThrowWith(read, (failure) => new AnswerUnreadable({ failure }))
