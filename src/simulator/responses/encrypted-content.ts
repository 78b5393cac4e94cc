/**
 * Reasoning that the provider keeps with the client: sealed, so that nobody else can make it, and bound to the account, to
 * its own item and to what the model made of it.
 */
import { createHmac, hash } from "node:crypto"
import { type JsonObject, stringOf } from "../../formats/json/json.ts"
import type { Call, Complaint } from "../Protocol.ts"

/** What was made of a thought: a message, or the call of this id; `undefined` of one that was cut. */
export type Outcome = string | undefined

/** Who asks: whoever uses the same key. */
export const accountOf = ({ headers }: Call): string =>
  hash("sha256", headers["authorization"] ?? "").slice(0, 12)

export const encrypt = (account: string, itemId: string, outcome: Outcome): string => {
  const body = Buffer.from([account, itemId, outcome ?? ""].join(" "))
  return Buffer.concat([head, body, sumOf(body)]).toString("base64url")
}

/** What was made of the thought, or why it is not taken. */
export const decrypt = (account: string, item: JsonObject): { readonly outcome: Outcome } | Complaint => {
  const content = stringOf(item["encrypted_content"])
  const bytes = Buffer.from(content, "base64url")
  const body = bytes.subarray(head.length, -sumLength)
  if (!bytes.subarray(0, head.length).equals(head) || !sumOf(body).equals(bytes.subarray(-sumLength)))
    return unverified(item, "Encrypted content could not be decrypted or parsed.")
  const [owner, itemId, outcome] = body.toString().split(" ")
  if (owner !== account)
    return unverified(item, "Encrypted content organization_id did not match the target organization.")
  if (typeof item["id"] === "string" && item["id"] !== itemId)
    return unverified(item, "Encrypted content item_id did not match the target item id.")
  return { outcome: outcome === "" ? undefined : outcome }
}

/** A Fernet token begins like this: its version and the first bytes of the time. */
const head = Buffer.from([0x80, 0, 0, 0, 0, 0x69])
const sumLength = 32

const sumOf = (body: Buffer): Buffer => createHmac("sha256", "simulator").update(body).digest()

const unverified = (item: JsonObject, reason: string): Complaint => {
  const content = stringOf(item["encrypted_content"])
  const named =
    typeof item["id"] === "string"
      ? `for item ${item["id"]}`
      : `${content.slice(0, 4)}...${content.slice(-4)}`
  return {
    message: `The encrypted content ${named} could not be verified. Reason: ${reason}`,
    code: "invalid_encrypted_content"
  }
}
