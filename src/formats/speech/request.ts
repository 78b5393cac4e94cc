/** Requests for speech. */
import { requiredText } from "../images/required-text.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"

export interface SpeechRequest {
  readonly input: string
  readonly voice: string
}

/** What the gateway needs of a request for speech. Refuses what it can not serve. */
export const readSpeechRequest = (body: JsonObject): SpeechRequest => ({
  input: requiredText(body.input, "input"),
  voice: readVoice(body.voice)
})

/** By its name, or by the id of one that was made for the account. */
const readVoice = (voice: Json | undefined): string =>
  isJsonObject(voice) ? requiredText(voice.id, "voice.id") : requiredText(voice, "voice")
