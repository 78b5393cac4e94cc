/** What the simulator, which is as strict as the providers, says of a request that a conversion made. */
import { isJsonObject, type Json, type JsonObject } from "../../src/formats/json/json.ts"
import type { Call } from "../../src/simulator/Protocol.ts"
import { accountOf, encrypt } from "../../src/simulator/responses/encrypted-content.ts"
import { route } from "../../src/simulator/route.ts"
import { noSettings } from "../../src/simulator/settings.ts"

export interface Sent {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** `undefined` where the provider takes it. */
export const providerRefusal = ({ body, headers, path }: Sent): string | undefined => {
  const [pathOnly = "", query = ""] = path.split("?")
  const call: Call = { method: "post", path: pathOnly, query, headers, raw: Buffer.alloc(0) }
  const known = withOwnReasoning(body, accountOf(call))
  const protocol = route({ ...call, raw: Buffer.from(JSON.stringify(known)) })
  if ("kind" in protocol) return `nothing is served on ${path}`
  const model = protocol.model(call, known)
  const answer = protocol.answer({ call, body: known, model, settings: noSettings })
  if (!("kind" in answer)) return answer.message
  return answer.status === 200 || answer.kind !== "plain" ? undefined : String(answer.body)
}

/** Recorded reasoning was encrypted by the provider itself, and stands for what the simulator would have encrypted. */
const withOwnReasoning = (body: JsonObject, account: string): JsonObject => ({
  ...body,
  ...(Array.isArray(body.input) && { input: body.input.map((item: Json) => ownReasoning(item, account)) })
})

const ownReasoning = (item: Json, account: string): Json =>
  isJsonObject(item) && item.type === "reasoning"
    ? { ...item, encrypted_content: encrypt(account, String(item.id), undefined) }
    : item
