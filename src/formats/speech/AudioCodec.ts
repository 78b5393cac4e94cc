/**
 * The codec of audio that comes as it is: what comes is passed on, and the end of the connection is the end. Where nothing
 * says what it is, an error can come in its place.
 */
import { noParticulars } from "../../domain/particulars.ts"
import type { StreamFailure } from "../errors/stream-failure.ts"
import { errorInsteadOfAnswer, mayBeError } from "../errors/upstream-errors.ts"
import { parseObject } from "../json/json.ts"
import { OutputMeter } from "../meter/output-meter.ts"
import type { StreamCodec } from "../stream/stream-codec.ts"

export const notAudio: StreamFailure = { type: "api_error", message: "The model did not answer with audio." }

const empty = Buffer.alloc(0)

export class AudioCodec implements StreamCodec {
  contentSeen = false
  finished = false
  failure: StreamFailure | undefined
  readonly usage = undefined
  readonly stored = undefined
  readonly particulars = noParticulars
  readonly meter = new OutputMeter()
  readonly tail = empty
  /** What may yet become an error. */
  #held = empty

  push(chunk: Buffer): Buffer | undefined {
    if (this.contentSeen) return chunk
    this.#held = Buffer.concat([this.#held, chunk])
    return mayBeError(this.#held) ? undefined : this.#release()
  }

  /** Silence without a single byte is no answer. */
  end(): Buffer | undefined {
    const held = this.#held
    if (held.length > 0 && parseObject(held.toString("utf8")) !== undefined) {
      this.failure = errorInsteadOfAnswer(held) ?? notAudio
      return undefined
    }
    this.finished = this.contentSeen || held.length > 0
    return held.length > 0 ? this.#release() : undefined
  }

  #release(): Buffer {
    const held = this.#held
    this.#held = empty
    this.contentSeen = true
    return held
  }
}
