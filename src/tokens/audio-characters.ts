import { isJsonObject, type JsonObject } from "../formats/json/json.ts"

/** How much sound an `input_audio` part brings, in base64 characters of a compressed one. */
export const audioCharacters = ({ input_audio: audio }: JsonObject): number => {
  if (!isJsonObject(audio) || typeof audio["data"] !== "string") return 0
  // A second of WAV takes at least twice the bytes that a second of the leanest compressed sound takes.
  return audio["format"] === "wav" ? audio["data"].length / 2 : audio["data"].length
}
