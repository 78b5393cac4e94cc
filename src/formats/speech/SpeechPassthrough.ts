/** Speech as a stream of events, which OpenAI gives where it is asked for: passed on as it is. */
import { errorIn, mapStreamError } from "../errors/upstream-errors.ts"
import { isDone } from "../stream/sse.ts"
import { PassthroughCodec, type Verdict } from "../stream/PassthroughCodec.ts"

export class SpeechPassthrough extends PassthroughCodec {
  protected read(data: string, isOutline: boolean): Verdict {
    if (isDone(data)) return "pass"
    const event = this.parse(data)
    if (event === undefined) return "strip"
    const { audio, type } = event
    const error = errorIn(event) ?? (type === "error" ? event : undefined)
    if (error !== undefined) return this.failAs(mapStreamError(error))
    // An outline leaves the sound out, which is what makes an event large.
    if (type === "speech.audio.delta" && (isOutline || (audio !== "" && audio !== null)))
      this.contentSeen = true
    return type === "speech.audio.done" && this.contentSeen ? "finish" : "pass"
  }

  protected endsWell(): boolean {
    return false
  }
}
