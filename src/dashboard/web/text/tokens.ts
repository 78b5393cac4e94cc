/** The words of the page of management tokens, loaded only with it. */
import { language } from "../language.ts"
import { english } from "./tokens-en.ts"
import { vietnamese } from "./tokens-vi.ts"

export const tokensText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
