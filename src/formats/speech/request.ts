/** Requests for speech. */
import { requiredText } from "../images/required-text.ts"
import type { JsonObject } from "../json.ts"

export interface SpeechRequest {
  readonly input: string
  readonly voice: string
}

/** What the gateway needs of a request for speech. Refuses what it can not serve. */
export const readSpeechRequest = (body: JsonObject): SpeechRequest => ({
  input: requiredText(body["input"], "input"),
  voice: requiredText(body["voice"], "voice")
})
