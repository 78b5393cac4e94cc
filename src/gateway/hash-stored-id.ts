/** Ids of what a provider stores are kept and looked for as their SHA-256. */
import { createHash } from "node:crypto"

export const hashStoredId = (id: string): Uint8Array => createHash("sha256").update(id).digest()
