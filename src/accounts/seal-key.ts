/**
 * Encrypts what has to be read again (secrets of keys and of webhooks, providers' keys of added routes), each bound to its row: a
 * stolen table shows nothing.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import type { AccountId, KeyId } from "../domain/ids.ts"

/** 32 bytes for AES-256, and the name under which the rows sealed with them say so. */
export interface SealKey {
  readonly id: string
  readonly bytes: Uint8Array
}

/** The row that a sealed text belongs to. A ciphertext copied into another row does not open. */
interface SealedPlace {
  readonly kind: string
  readonly id: string
}

/** Where the secret of an API key stands. */
export const keyPlace = (key: { readonly accountId: AccountId; readonly keyId: KeyId }): SealedPlace => ({
  kind: "key",
  id: `${key.accountId}|${key.keyId}`
})

const nonceBytes = 12
const tagBytes = 16

/** The id is a fingerprint of the bytes, so that a key keeps its name wherever it is configured. */
export const makeSealKey = (bytes: Uint8Array): SealKey => {
  if (bytes.length !== 32) throw new Error(`a seal key has 32 bytes, this one has ${bytes.length}`)
  return {
    id: createHash("sha256").update("tollgate seal key").update(bytes).digest("hex").slice(0, 12),
    bytes
  }
}

/** Nonce, tag and ciphertext, in this order. */
export const sealText = (sealKey: SealKey, place: SealedPlace, secret: string): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", sealKey.bytes, nonce, { authTagLength: tagBytes })
  cipher.setAAD(additionalData(sealKey, place))
  const ciphertext = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/** The text; `undefined` when it was changed, cut, moved from another row or sealed with another key. */
export const openText = (sealKey: SealKey, place: SealedPlace, sealed: Uint8Array): string | undefined => {
  if (sealed.length <= nonceBytes + tagBytes) return undefined
  // Without authTagLength, Node 22 accepts tags of 4 bytes, which can be forged.
  const decipher = createDecipheriv("aes-256-gcm", sealKey.bytes, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes
  })
  decipher.setAAD(additionalData(sealKey, place))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, "utf8") + decipher.final("utf8")
  } catch {
    return undefined
  }
}

const additionalData = (sealKey: SealKey, { id, kind }: SealedPlace): Buffer =>
  Buffer.from(`${kind}|${sealKey.id}|${id}`)
