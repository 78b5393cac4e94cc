/** Signatures of webhooks as Standard Webhooks has them: https://github.com/standard-webhooks/standard-webhooks (v1, symmetric). */
import { createHmac, randomBytes } from "node:crypto"

const prefix = "whsec_"

/** 32 bytes in base64. */
export const makeWebhookSecret = (): string => `${prefix}${randomBytes(32).toString("base64")}`

export interface SignedHeaders {
  readonly "webhook-id": string
  readonly "webhook-timestamp": string
  readonly "webhook-signature": string
}

/** One signature for each secret, so that receivers may know either of two. */
export const signWebhook = (
  secrets: ReadonlyArray<string>,
  id: string,
  nowMs: number,
  body: string
): SignedHeaders => {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const sign = (secret: string) =>
    createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"))
      .update(`${id}.${timestamp}.${body}`)
      .digest("base64")
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => `v1,${sign(secret)}`).join(" ")
  }
}
