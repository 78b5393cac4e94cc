/**
 * One call, from its arrival to its row in the log. It is one object all the way, and its type says how far it has come:
 * a `Call` has arrived, then it is an `IdentifiedCall`, then a `ResolvedCall`; an admitted one is part of a `TextCall`.
 */
import type { Route } from "../config/settings.ts"
import { type CallExtras, type CallRecord, type Endpoint, noExtras } from "../domain/call.ts"
import type { Catalogue, Model, Resolved } from "../domain/catalogue.ts"
import type { KeyRules } from "../domain/key-settings.ts"
import { makeCallId, type CallId } from "../domain/ids.ts"
import type { Particulars } from "../domain/particulars.ts"
import { standardTerms, type Terms } from "../domain/surcharges.ts"
import type { MicroVnd } from "../domain/money.ts"
import { noUsage, type Usage } from "../domain/usage.ts"
import type { CallTrace } from "../telemetry/CallTrace.ts"
import type { StoredAnswer } from "../domain/stored-answer.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import type { UpstreamAttempt } from "../upstream/UpstreamCall.ts"
import type { Holder } from "../ledger/bridge/LedgerClient.ts"
import type { KeyIdentity, RefusedAdmission } from "../ledger/bridge/protocol.ts"
import type { Client } from "./Client.ts"
import { hashStoredId } from "./hash-stored-id.ts"

/** What is charged for a call. `units` counts images. */
export interface Charge {
  readonly usage: Usage
  readonly units: number
  /** The gateway's own count. */
  readonly estimated: boolean
  /** What the answer told of how it was made; absent where it tells nothing. */
  readonly particulars?: Particulars
  /** What the upstream told instead, where that can not be. */
  readonly disbelieved?: ToldUsage | undefined
}

/** Of what is no number at all nothing is known. */
export type ToldUsage = Partial<Usage> & { readonly units?: number }

/** What a call costs, and why. */
export interface Bill {
  readonly cost: MicroVnd
  readonly extras: CallExtras
}

const noBill: Bill = { cost: 0n, extras: noExtras }

/** Whose call it is is known. */
export type IdentifiedCall = Call & { readonly identity: KeyIdentity }

/** And so is the model that it goes to. */
export type ResolvedCall = IdentifiedCall & { readonly model: Model; readonly sold: Sold }

/** What else is sold, and at what price, as long as the call lasts. */
export type Sold = Pick<Catalogue, "models" | "withdrawn">

export const isIdentified = (call: Call): call is IdentifiedCall => call.identity !== undefined

export class Call implements Holder {
  readonly id: CallId
  /** When it arrived, ms since 1970: what its row, its prices and its trace are dated by. */
  readonly dateMs: number
  /** The same moment by the steady clock, from which its times are counted. */
  readonly begunMs = steadyMs()
  readonly client: Client
  readonly endpoint: Endpoint
  identity: KeyIdentity | undefined
  modelRequested = ""
  model: Model | undefined
  sold: Sold | undefined
  /** Ids of other models that it may have read and write: those of tools, and those that may answer instead. */
  others: ReadonlyArray<string> = []
  /** The name sent, where it was an alias or fell back. */
  mappedFrom: string | undefined
  stream = false
  /** On what terms it goes up. */
  terms: Terms = standardTerms
  firstByteMs: number | undefined
  #storedIdHash: Uint8Array | null = null
  #storedItemHashes: ReadonlyArray<Uint8Array> = []
  readonly attempts: Array<UpstreamAttempt> = []
  /** What is set on its key, as far as was asked. */
  rules: KeyRules | undefined
  /** Why its hold could not grow. */
  refusedHold: RefusedAdmission | undefined
  /** Only of a call that is traced. */
  trace: CallTrace | undefined
  /** The call's row has been handed to the ledger: there is exactly one. */
  recorded = false
  /** Something else goes on for this call after its client has left, and will write its row. */
  handedOver = false
  fromAllowance = 0n
  charge: Charge | undefined
  cost = 0n
  extras: CallExtras = noExtras
  status = 0
  errorType = ""

  constructor(client: Client, endpoint: Endpoint, dateMs: number) {
    this.client = client
    this.endpoint = endpoint
    this.dateMs = dateMs
    this.id = makeCallId(dateMs)
  }

  identify(identity: KeyIdentity): IdentifiedCall {
    this.identity = identity
    return this as IdentifiedCall
  }

  resolve(this: IdentifiedCall, { mappedFrom, model }: Resolved, sold: Sold): ResolvedCall {
    this.model = model
    this.sold = sold
    this.mappedFrom = mappedFrom
    return this as ResolvedCall
  }

  /** The first byte of a streamed answer goes out. */
  noteFirstByte(nowMs: number): void {
    this.firstByteMs = nowMs - this.begunMs
  }

  /** The provider keeps the answer. */
  noteStored(stored: StoredAnswer | undefined): void {
    if (stored === undefined) return
    this.#storedIdHash = hashStoredId(stored.id)
    this.#storedItemHashes = stored.itemIds.slice(0, storedItemsMax).map(hashStoredId)
  }

  /** What goes along with the next attempt: that attempt's own span, else what the client sent. */
  nextTraceParent({ baseUrl }: Route): string {
    // By the clock of the call: another one, a little ahead, would put the attempt behind the call's end.
    const nowMs = this.dateMs + steadyMs() - this.begunMs
    return this.trace?.attempt(nowMs, baseUrl) ?? this.client.headers.traceParent
  }

  /** The row of a call that is charged. Only once. */
  charged(
    this: ResolvedCall,
    charge: Charge,
    bill: Bill,
    status: number,
    errorType: string,
    nowMs: number
  ): CallRecord {
    this.charge = charge
    return this.#record(this.identity, status, errorType, charge, bill, nowMs)
  }

  /** The row of a call that costs nothing. */
  uncharged(this: IdentifiedCall, status: number, errorType: string, nowMs: number): CallRecord {
    const nothing = { usage: noUsage, units: 1, estimated: false }
    return this.#record(this.identity, status, errorType, nothing, noBill, nowMs)
  }

  /** The provider's route that answered well, or began to, else the one tried last: a second try may have been begun in vain. */
  get #routeTaken(): string {
    const isGood = ({ outcome }: UpstreamAttempt) => typeof outcome === "number" && outcome < 300
    const isBroken = ({ outcome }: UpstreamAttempt) => outcome === "broken"
    const taken = this.attempts.findLast(isGood) ?? this.attempts.findLast(isBroken) ?? this.attempts.at(-1)
    return taken?.route ?? ""
  }

  #record(
    { accountId, keyId }: KeyIdentity,
    status: number,
    errorType: string,
    charge: Charge,
    { cost, extras }: Bill,
    nowMs: number
  ): CallRecord {
    this.recorded = true
    this.status = status
    this.errorType = errorType
    this.cost = cost
    // Of one that went well nothing is to be told but its route.
    const attempts = this.attempts.length > 1 || status >= 500 ? [...this.attempts] : []
    this.extras = { ...extras, route: this.#routeTaken, attempts }
    const price = this.model?.price
    return {
      callId: this.id,
      atMs: this.dateMs,
      accountId,
      keyId,
      endpoint: this.endpoint,
      modelRequested: storable(this.modelRequested),
      model: this.model?.id ?? "",
      stream: this.stream,
      status,
      errorType,
      inputTokens: charge.usage.inputTokens,
      outputTokens: charge.usage.outputTokens,
      units: charge.units,
      estimated: charge.estimated,
      perMtokVnd: price?._tag === "PerToken" ? price.perMtokVnd : null,
      perRequestVnd: price?._tag === "PerRequest" ? price.perRequestVnd : null,
      cost,
      latencyMs: nowMs - this.begunMs,
      firstByteMs: this.firstByteMs ?? null,
      storedIdHash: this.#storedIdHash,
      storedItemHashes: this.#storedItemHashes,
      extras: this.extras
    }
  }
}

/** Items of one answer that later calls may refer to. */
const storedItemsMax = 500

const nameLengthMax = 200

/** A model name comes from outside: PostgreSQL takes no NUL, and a log line no control characters. */
// eslint-disable-next-line no-control-regex
const storable = (name: string): string => name.slice(0, nameLengthMax).replace(/[\u0000-\u001f\u007f]/g, "")
