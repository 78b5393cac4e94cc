/** The codec of audio that comes as it is: what comes is passed on, and the end of the connection is the end. */
import { noParticulars } from "../../domain/particulars.ts"
import type { StreamFailure } from "../errors/stream-failure.ts"
import { OutputMeter } from "../meter/output-meter.ts"
import type { StreamCodec } from "../stream/stream-codec.ts"

export class AudioCodec implements StreamCodec {
  contentSeen = false
  finished = false
  readonly failure: StreamFailure | undefined = undefined
  readonly usage = undefined
  readonly stored = undefined
  readonly particulars = noParticulars
  readonly meter = new OutputMeter()
  readonly tail = Buffer.alloc(0)

  push(chunk: Buffer): Buffer {
    this.contentSeen = true
    return chunk
  }

  /** Silence without a single byte is no answer. */
  end(): undefined {
    this.finished = this.contentSeen
  }
}
