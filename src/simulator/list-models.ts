/** `GET …/models`, in the shape of whichever provider's header came along. */
import { type Answer, plainJson } from "./http/Answer.ts"
import { isClaude, modelNames } from "./models.ts"
import type { Call } from "./Protocol.ts"
import { errorBody } from "./openai/refuse.ts"

const created = 1_767_225_600

export const listModels = ({ headers }: Call): Answer => {
  if (headers["x-api-key"] === undefined && headers["authorization"] === undefined)
    return plainJson(401, [], errorBody({ message: "Missing bearer or basic authentication in header" }))
  if (headers["anthropic-version"] === undefined)
    return plainJson(200, [], {
      object: "list",
      data: modelNames.map((id) => ({ id, object: "model", created, owned_by: "simulator" }))
    })
  const data = modelNames
    .filter((id) => isClaude(id) && !id.includes("anthropic."))
    .map((id) => ({ type: "model", id, display_name: id, created_at: "2026-01-01T00:00:00Z" }))
  return plainJson(200, [], {
    data,
    has_more: false,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null
  })
}
