/** Making a conversation that later responses may continue. */
import { listOf } from "../../formats/json/json.ts"
import { plainJson } from "../http/Answer.ts"
import { storedId } from "../make-id.ts"
import type { Protocol } from "../Protocol.ts"
import { countInput } from "../turn/count-input.ts"
import { keep } from "./kept.ts"
import { responses } from "./responses.ts"
import { successHeaders } from "../openai/headers.ts"
import { secondsNow } from "../openai/openai.ts"

export const conversations: Protocol = {
  ...responses,
  parse: (call) => (call.raw.byteLength === 0 ? { body: {} } : responses.parse(call)),
  answer: ({ body }) => {
    const id = storedId("conv")
    const items = listOf(body["items"])
    keep(id, { items, tokens: countInput([items], items.length) })
    return plainJson(200, successHeaders(), {
      id,
      object: "conversation",
      created_at: secondsNow(),
      metadata: body["metadata"] ?? {}
    })
  }
}
