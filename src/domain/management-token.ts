/** The secret of a management token: `tg-mgmt-` and 40 random base62 characters, a form of its own, so that it is never taken for a key. */
import { randomBase62 } from "./base62.ts"

export const generateTokenSecret = (): string => `tg-mgmt-${randomBase62(40)}`

/** Whether a text can be a token at all, before anything is asked about it. */
export const isTokenSecret = (text: string): boolean => /^tg-mgmt-[0-9A-Za-z]{40}$/.test(text)

export const tokenDaysMax = 366
