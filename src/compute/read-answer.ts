/** Reads an upstream's whole answer: what the client gets of it, and what it is billed by. Pure and plain data. */
import { Data, Result } from "effect"
import type { Model } from "../domain/catalogue.ts"
import type { Particulars } from "../domain/particulars.ts"
import type { Usage } from "../domain/usage.ts"
import { sentUsage } from "../formats/chat/usage.ts"
import type { ConversionContext } from "../formats/convert/conversion.ts"
import { type StreamFailure, unreadable } from "../formats/errors/stream-failure.ts"
import { errorIn, mapStreamError } from "../formats/errors/upstream-errors.ts"
import { isJsonObject, type JsonObject } from "../formats/json/json.ts"
import { type Bounds, mayExceed, scanWithin } from "../formats/json/scan.ts"
import { meterAnswer } from "../formats/meter/meter-answer.ts"
import { isNonsense } from "../formats/meter/nonsense-usage.ts"
import type { Pair } from "../formats/Pair.ts"
import { pairOf, type Way } from "../formats/pairs.ts"
import type { StoredAnswer } from "../domain/stored-answer.ts"
import { believeParticulars, believeUsage, type UsageLimits } from "../tokens/believe-usage.ts"
import { outputTokensBound, outputTokensUncounted } from "../tokens/output-tokens.ts"
import { answerBounds } from "./bounds.ts"
import { TooMuchHere } from "./read-body.ts"
import { bufferOf } from "./share-bytes.ts"

export interface ReadAnswerTask {
  readonly way: Way
  readonly model: Model
  readonly bytes: Uint8Array
  readonly context: ConversionContext
  readonly limits: UsageLimits
}

export interface AnswerRead {
  readonly bytes: Uint8Array
  readonly usage: Usage
  /** The upstream gave no usage: this is the gateway's own count. */
  readonly estimated: boolean
  /** What the upstream told, where that can not be; of what is no number, nothing. */
  readonly disbelieved: Partial<Usage> | undefined
  readonly particulars: Particulars
  readonly stored: StoredAnswer | undefined
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
  const usage = billed(pair, answer, task)
  const clients = orFail(pair.answer(answer, bytes, shownIn(task.context, usage)))
  return {
    bytes: clients,
    ...usage,
    particulars: believeParticulars(particularsOf(pair, answer), !usage.estimated, task.limits),
    stored: pair.stored(answer)
  }
}

/** What is converted tells what is billed. */
const shownIn = (context: ConversionContext, { estimated, usage }: Billed): ConversionContext => ({
  ...context,
  inputEstimate: estimated ? usage.inputTokens : context.inputEstimate,
  outputEstimate: usage.outputTokens,
  isEstimated: estimated
})

const particularsOf = (pair: Pair, answer: JsonObject): Particulars => {
  const reader = pair.particulars()
  reader.answer(answer)
  return reader.particulars
}

/** A byte order mark is no JSON, but clients that read bytes drop it like all decoders of the web. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

const checkBounds = (json: Buffer, bounds: Bounds): void => {
  // Most are small, and whether they are whole is seen when they are parsed.
  if (!mayExceed(json.length, bounds)) return
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

type Billed = Pick<AnswerRead, "usage" | "estimated" | "disbelieved">

/** By the upstream's count, where it can be. */
const billed = (pair: Pair, answer: JsonObject, { context, limits, model }: ReadAnswerTask): Billed => {
  const seen = () =>
    meterAnswer(pair.readable === undefined ? answer : orFail(pair.readable(answer, context)))
  const nonsense = isNonsense(sentUsage(answer))
  const told = nonsense ? undefined : pair.usage(answer)
  if (told !== undefined) {
    const { disbelieved, usage } = believeUsage(told, limits, () => outputTokensBound(seen(), model))
    return { usage, estimated: disbelieved !== undefined, disbelieved }
  }
  const output = outputTokensUncounted(seen(), model, limits.outputCap, nonsense)
  // A zero stands for nothing where the output is not told.
  const inputTokens = pair.inputTold(answer) || context.inputEstimate
  const begun = believeUsage({ inputTokens, outputTokens: 0 }, limits, () => 0)
  return {
    usage: { inputTokens: begun.usage.inputTokens, outputTokens: output },
    estimated: true,
    disbelieved: begun.disbelieved ?? (nonsense ? {} : undefined)
  }
}

const orFail = <A>(read: Result.Result<A, StreamFailure>): A =>
  Result.getOrThrowWith(read, (failure) => new AnswerUnreadable({ failure }))
