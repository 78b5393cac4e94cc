/** Requests for speech. */
import { requiredText } from "../images/invalid-parameter.ts"
import type { JsonObject } from "../json.ts"

export interface SpeechRequest {
  readonly input: string
  readonly voice: string
}

/** What the gateway needs of a request for speech. Throws InvalidParameter. */
export const readSpeechRequest = (body: JsonObject): SpeechRequest => ({
  input: requiredText(body["input"], "input"),
  voice: requiredText(body["voice"], "voice")
})
