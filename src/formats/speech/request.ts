/** Requests for speech. */
import { filledTextAt } from "../json/fields.ts"
import { isJsonObject, type JsonObject } from "../json/json.ts"

/** Refuses what the gateway can not serve. A voice is told by its name, or by the id of one that was made for the account. */
export const requireSpeechRequest = ({ input, voice }: JsonObject): void => {
  filledTextAt(input, "input")
  if (isJsonObject(voice)) filledTextAt(voice.id, "voice.id")
  else filledTextAt(voice, "voice")
}
