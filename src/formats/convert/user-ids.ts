/** How the caller's own user is named upstream, where a name that is refused goes as its hash: so users stay distinct. */
import { createHash } from "node:crypto"

const chatLengthMax = 64
const messagesLengthMax = 256

/** As OpenAI takes it. */
export const chatUserId = (user: string): string => (user.length > chatLengthMax ? hashed(user) : user)

/** As the Messages protocol takes it: "Appears to contain an email address" (BerriAI/litellm #10106). */
export const messagesUserId = (user: string): string =>
  user.length > messagesLengthMax || /\S@\S+\.\S|^\+\d[\d\s().-]{6,}$/.test(user) ? hashed(user) : user

const hashed = (user: string): string => createHash("sha256").update(user).digest("hex")
