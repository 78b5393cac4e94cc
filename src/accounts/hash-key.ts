/** What is kept of a secret to recognise it: its SHA-256. A secret has 190 random bits, so a slow hash would add nothing. */
import { createHash } from "node:crypto"

export const hashKey = (secret: string): Buffer => createHash("sha256").update(secret, "utf8").digest()
