/** What OpenAI's interfaces have in common: chat, Responses, images and speech. Other chat providers do the same. */
import { stringOf } from "../../formats/json/json.ts"
import { type Call, type Complaint, parseJson, type Protocol } from "../Protocol.ts"
import { refuse } from "./refuse.ts"

const authenticate = ({ headers }: Call): Complaint | undefined => {
  const key = /^Bearer (.+)$/i.exec(headers["authorization"] ?? "")?.[1]
  if (key === undefined)
    return {
      message:
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys."
    }
  return key.includes("invalid")
    ? {
        message: `Incorrect API key provided: ${key.slice(0, 8)}*****. You can find your API key at https://platform.openai.com/account/api-keys.`,
        code: "invalid_api_key"
      }
    : undefined
}

const malformedJson: Complaint = {
  message:
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)"
}

export const openai: Omit<Protocol, "prompt" | "answer"> = {
  refuse,
  overloaded: 503,
  authenticate,
  parse: (call) => parseJson(call, malformedJson),
  model: (_, body) => stringOf(body["model"])
}

/** Unix time, as `created` tells it. */
export const secondsNow = (): number => Math.floor(Date.now() / 1000)
