/** The words of the page of providers, loaded only with it. */
import { language } from "../language.ts"
import { english } from "./providers-en.ts"
import { vietnamese } from "./providers-vi.ts"

export const providersText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
