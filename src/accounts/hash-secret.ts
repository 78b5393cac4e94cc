/** What is kept of a secret (of a key, a token, a link) to recognise it: its SHA-256. It has 122 random bits or more, so a slow hash would add nothing. */
import { createHash } from "node:crypto"

export const hashSecret = (secret: string): Buffer => createHash("sha256").update(secret, "utf8").digest()
