/**
 * Turns a client's body into what goes upstream: checked, converted where the protocols differ, estimated. Pure; runs
 * on gateway threads for small bodies and on codec workers for large ones.
 */
import {
  answersGiven,
  answersMade,
  refuseAmbiguousMembers,
  requireForm
} from "../formats/deciding-members.ts"
import { refusable, refuse } from "../formats/json/fields.ts"
import { objectsOf } from "../formats/json/json.ts"
import type { Terms } from "../domain/surcharges.ts"
import type { OutputCap } from "../formats/output-cap.ts"
import type { AskedOfAnswer } from "../formats/convert/conversion.ts"
import type { ClientRequest, RequestOptions, UpstreamBody } from "../formats/convert/requests.ts"
import type { FileAddress } from "../formats/images/file-sources.ts"
import type { Pair } from "../formats/Pair.ts"
import { pairOf, type Way, wayOfCall } from "../formats/pairs.ts"
import { spliceObject } from "../formats/json/splice.ts"
import { type HostedTool, hostedToolsOf } from "../formats/particulars/hosted-tools.ts"
import { refuseHostedTools, settleTerms } from "../formats/terms.ts"
import { referencedIds, referencedItems, type StoredReference } from "../formats/stored-ids.ts"
import { measureInput } from "../tokens/measure-input.ts"
import type { Bounds } from "../formats/json/scan.ts"
import { bodyBounds } from "./bounds.ts"
import { leaveRoom } from "./leave-room.ts"
import { orInvalidJson, orRefuse, readBody, readBodyWithoutLongTexts } from "./read-body.ts"
import { bufferOf } from "./share-bytes.ts"
import { thinkingBeyondCap } from "./thinking-beyond-cap.ts"

export interface PrepareTask extends RequestOptions {
  readonly way: Way
  readonly body: Uint8Array
}

/** A call that is ready to be admitted. Plain data: it crosses threads. */
export interface Prepared {
  /** The way that this call goes. */
  readonly way: Way
  readonly asked: AskedOfAnswer
  readonly stream: boolean
  /** The upstream's body, whole but for a cap that the wallet may lower, and for files that are missing. */
  readonly bytes: Uint8Array
  /** Files that must be fetched and the call prepared again, since the upstream takes bytes only. */
  readonly missingFiles: ReadonlyArray<FileAddress>
  readonly cap: OutputCap
  /** Tokens that the model may think for one answer beyond the cap. */
  readonly thinkingBeyondCap: number
  /** How many answers were asked for. */
  readonly choices: number
  /** How many are made for that; each may be as long as the cap, and all are billed. */
  readonly answers: number
  /** How often the provider may read its input and write for one answer, where it runs tools of its own. */
  readonly rounds: number
  /** Upper bound of the input, in tokens, for the hold. */
  readonly inputBound: number
  /** Best guess of the input, in tokens, where the upstream gives no count. */
  readonly inputGuess: number
  /** On what terms it goes up. */
  readonly terms: Terms
  /** Tools that the provider may run. */
  readonly hostedTools: ReadonlyArray<HostedTool>
  /** Models, by the provider's names, that may answer instead. */
  readonly fallbacks: ReadonlyArray<string>
  /** Stored things of the provider that the call builds upon. */
  readonly referenced: ReadonlyArray<StoredReference>
  /** Ids of stored items in its input. */
  readonly referencedItems: ReadonlyArray<string>
  /** The answer's id is one that later calls may build upon. */
  readonly isStored: boolean
  readonly toolNames: ReadonlyArray<readonly [sent: string, original: string]>
}

/** Throws `Unprepared`, and `TooMuchHere` where the bounds are not those of every body. */
export const prepareCall = (task: PrepareTask, bounds = bodyBounds): Prepared => {
  const bytes = bufferOf(task.body)
  const read = readFor(pairOf(task.way), bytes, bounds)
  const way = wayOfCall(task.way, read.parsed, task.model)
  const pair = pairOf(way)
  const { members, parsed } = way === task.way ? read : readFor(pair, bytes, bounds)
  const request = { parsed, bytes, members }
  orRefuse(refusable(() => check(pair, request)))
  const sent = orRefuse(pair.request(request, task))
  const isSent = sent.body === parsed
  const measured = orInvalidJson(() => measureInput(parsed, task.model, bytes))
  // A conversion leaves out what the upstream does not have.
  const hostedTools = isSent ? measured.hostedTools : hostedToolsOf(sent.body)
  const { edits, terms } = orRefuse(
    refusable(() => {
      refuseHostedTools(task.model, hostedTools)
      return settleTerms(task.model, pair.standardTier, parsed, sent)
    })
  )
  const settled = spliceObject(sent, edits)
  const found = orRefuse(refusable(() => pair.outputCap(task.model, sent.body, settled.members)))
  const cap = leaveRoom(found, parsed, task.model, measured)
  return {
    way,
    asked: pair.asked(request),
    stream: parsed["stream"] === true,
    bytes: settled.bytes,
    missingFiles: sent.missingFiles,
    cap,
    thinkingBeyondCap: thinkingBeyondCap(task.model, sent.body, cap.tokens),
    choices: answersGiven(parsed),
    answers: answersMade(sent.body),
    rounds: measured.rounds,
    inputBound: measured.bound,
    inputGuess: measured.guess,
    terms,
    hostedTools,
    fallbacks: objectsOf(sent.body["fallbacks"]).flatMap(({ model }) =>
      typeof model === "string" ? [model] : []
    ),
    referenced: orRefuse(refusable(() => referencedIds(parsed, bytes, members, isSent))),
    // What holds nothing by itself is left out of a conversion, and looked up by nobody.
    referencedItems: isSent ? orRefuse(refusable(() => referencedItems(parsed, bytes, members))) : [],
    isStored: pair.isStored(parsed),
    toolNames: orRefuse(refusable(() => namesOf(sent)))
  }
}

const readFor = (pair: Pair, bytes: Buffer, bounds: Bounds) =>
  pair.leavesTextsUnread ? readBodyWithoutLongTexts(bytes, bounds) : readBody(bytes, bounds, pair.parse)

const check = (pair: Pair, request: ClientRequest): void => {
  refuseAmbiguousMembers(request)
  requireForm(request.parsed)
  answersMade(request.parsed)
  pair.requireRequest(request)
}

/** They go along with the call to the event loop. */
const toolNamesMax = 10_000

const namesOf = ({ toolNames }: UpstreamBody): Prepared["toolNames"] =>
  toolNames.size <= toolNamesMax
    ? [...toolNames]
    : refuse("tools", `more than ${toolNamesMax} of them have names that the model's provider does not take`)
