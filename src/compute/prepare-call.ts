/**
 * Turns a client's body into what goes upstream: checked, converted where the protocols differ, estimated. Pure; runs
 * on gateway threads for small bodies and on codec workers for large ones.
 */
import { refusable } from "../formats/json/fields.ts"
import type { JsonObject } from "../formats/json/json.ts"
import { scanMembers } from "../formats/json/splice.ts"
import type { OutputCap } from "../formats/output-cap.ts"
import type { RequestOptions } from "../formats/convert/requests.ts"
import type { AskedOfAnswer } from "../formats/Pair.ts"
import { pairOf, type Way } from "../formats/pairs.ts"
import { referencedIds, type StoredReference } from "../formats/stored-ids.ts"
import { measureInput } from "../tokens/measure-input.ts"
import { bodyBounds } from "./bounds.ts"
import { bufferOf, orRefuse, readBody } from "./read-body.ts"

export interface PrepareTask extends RequestOptions {
  readonly way: Way
  readonly body: Uint8Array
}

/** A call that is ready to be admitted. Plain data: it crosses threads. */
export interface Prepared extends AskedOfAnswer {
  readonly stream: boolean
  /** The upstream's body, whole but for a cap that the wallet may lower, and for images that are missing. */
  readonly bytes: Uint8Array
  /** URLs of images that must be fetched and the call prepared again, since the upstream takes bytes only. */
  readonly missingImages: ReadonlyArray<string>
  readonly cap: OutputCap
  /** How many answers were asked for; each may be as long as the cap. */
  readonly choices: number
  /** Upper bound of the input, in tokens, for the hold. */
  readonly inputBound: number
  /** Best guess of the input, in tokens, where the upstream gives no count. */
  readonly inputGuess: number
  /** Stored things of the provider that the call builds upon. */
  readonly referenced: ReadonlyArray<StoredReference>
  /** The answer's id is one that later calls may build upon. */
  readonly isStored: boolean
  readonly toolNames: ReadonlyArray<readonly [sent: string, original: string]>
}

/** Throws `Unprepared`, and `TooMuchHere` where the bounds are not those of every body. */
export const prepareCall = (task: PrepareTask, bounds = bodyBounds): Prepared => {
  const pair = pairOf(task.way)
  const bytes = bufferOf(task.body)
  const { members, parsed } = readBody(bytes, bounds, pair.parse)
  const request = { parsed, bytes, members }
  orRefuse(refusable(() => pair.requireRequest(request)))
  const sent = orRefuse(pair.request(request, task))
  const { bound, guess } = measureInput(parsed, task.model)
  const sentMembers = sent.bytes === bytes ? members : (scanMembers(sent.bytes) ?? [])
  return {
    ...pair.asked(parsed),
    stream: parsed["stream"] === true,
    bytes: sent.bytes,
    missingImages: sent.missingImages,
    cap: pair.outputCap(task.model, sent.body, sentMembers),
    choices: choicesOf(parsed),
    inputBound: bound,
    inputGuess: guess,
    referenced: orRefuse(refusable(() => referencedIds(parsed, bytes, members))),
    isStored: pair.isStored(parsed),
    toolNames: [...sent.toolNames]
  }
}

const choicesMax = 128

const choicesOf = (parsed: JsonObject): number => {
  const asked = parsed["n"]
  return typeof asked === "number" && Number.isInteger(asked) && asked > 1 ? Math.min(asked, choicesMax) : 1
}
