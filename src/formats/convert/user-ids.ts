/** How the caller's own user is named upstream, where a name that is refused goes as its hash: so users stay distinct. */
import { createHash } from "node:crypto"
import { objectAt, optional } from "../json/fields.ts"
import { type JsonObject, stringOf } from "../json/json.ts"

const chatLengthMax = 64
const messagesLengthMax = 256

/** Of a Messages request, as OpenAI takes it. */
export const safetyIdentifier = (body: JsonObject): string | undefined => {
  const user = optional(objectAt, body.metadata, "metadata")?.user_id
  if (typeof user !== "string") return undefined
  return user.length > chatLengthMax ? hashed(user) : user
}

/** Of a chat or Responses request, as Messages takes it: "Appears to contain an email address" (BerriAI/litellm #10106). */
export const messagesMetadata = ({ safety_identifier: safety, user: named }: JsonObject): JsonObject => {
  const user = stringOf(safety) || stringOf(named)
  if (user === "") return {}
  const isRefused = user.length > messagesLengthMax || /\S@\S+\.\S|^\+\d[\d\s().-]{6,}$/.test(user)
  return { metadata: { user_id: isRefused ? hashed(user) : user } }
}

const hashed = (user: string): string => createHash("sha256").update(user).digest("hex")
