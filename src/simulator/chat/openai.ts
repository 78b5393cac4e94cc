/** What the interfaces of the chat provider have in common: chat, Responses, images and speech. */
import { stringOf } from "../../formats/json/json.ts"
import { parseJson, type Protocol } from "../Protocol.ts"
import { authenticate, malformedJson, refuse } from "./refuse.ts"

export const openai: Omit<Protocol, "prompt" | "answer"> = {
  refuse,
  overloaded: 503,
  authenticate,
  parse: (call) => parseJson(call, malformedJson),
  model: (_, body) => stringOf(body["model"])
}
