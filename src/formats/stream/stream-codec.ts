/** What stands between an upstream's stream and the client's: bytes in, bytes out, and what was learnt on the way. */
import type { Particulars } from "../../domain/particulars.ts"
import type { Usage } from "../../domain/usage.ts"
import type { StreamFailure } from "../errors/stream-failure.ts"
import type { OutputMeter } from "../meter/output-meter.ts"
import type { StoredAnswer } from "../../domain/stored-answer.ts"

/** How a stream that failed under way is told in the protocol's own words. */
export interface CodedFailure {
  readonly code: string
  readonly message: string
}

/** How far a stream has come. */
export interface StreamProgress {
  /** The first content event has been passed on: text, thinking, a tool call, a refusal. Not headers, pings, role chunks. */
  readonly contentSeen: boolean
  /** The protocol's successful end has been seen. What belongs to it is in `tail`, not passed on. */
  readonly finished: boolean
  /** The answer is told to its end, and only what stands behind that is missing: an upstream that closes now has ended well. */
  readonly isWhole?: boolean
  /** The upstream reported an error inside the stream, broke off, or sent rubbish. */
  readonly failure: StreamFailure | undefined
  /** The upstream's own count, the last one seen, as billed. */
  readonly usage: Usage | undefined
  /** `usage` tells the whole output, not only the beginning of a count; absent where usage comes with the end. */
  readonly usageIsFinal?: boolean
  /** The upstream told counts that are none: negative, broken, or beyond all measure. */
  readonly usageIsNonsense?: boolean
  readonly meter: OutputMeter
}

export interface StreamCodec extends StreamProgress {
  /** What has been told so far of how the answer is made. */
  readonly particulars: Particulars
  /** Under which ids the provider stores the answer, where it does. */
  readonly stored: StoredAnswer | undefined
  /** What keeps the stream alive now, where that depends on what has been passed on. */
  readonly keepAlive?: string | undefined
  /** The number of the next event, where the protocol counts them. */
  readonly nextSequenceNumber?: number

  /** What may go to the client before anything has come of the upstream; once, and empty after that. */
  begin?(): string
  /**
   * The end of a stream that fails, where that holds what went before; `undefined` where it is the protocol's own error
   * alone, which `errorAt` writes under a number. `lostEvents` were given and not passed on.
   */
  failed?(
    failure: CodedFailure,
    lostEvents: number,
    errorAt: (sequenceNumber: number) => string
  ): string | undefined

  /**
   * Takes the next bytes of the upstream and gives what may go to the client now: whole events only, so that a
   * keep-alive may follow anything given. Nothing is given once `failure` is set.
   */
  push(chunk: Buffer): Buffer | undefined
  /** The upstream has closed. Sets `failure` unless the stream was finished. May give bytes as `push` does. */
  end(): Buffer | undefined
  /** The last event of a finished stream: for the client once the charge is committed. */
  readonly tail: Buffer
}
