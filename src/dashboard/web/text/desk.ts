/** The words of the operator's desk, loaded only with it. */
import { language } from "../language.ts"
import { english } from "./desk-en.ts"
import { vietnamese } from "./desk-vi.ts"

export const deskText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
