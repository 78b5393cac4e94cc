/** Names something that is asked for, so that it is done once however often it is sent. */
import { randomBase62 } from "../../domain/base62.ts"

/** Over plain HTTP a browser has no `crypto.randomUUID`. */
export const newName = (): string => randomBase62(22)
