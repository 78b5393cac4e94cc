/** The words of the page of usage, loaded only with it. */
import { language } from "../language.ts"
import { english } from "./usage-en.ts"
import { vietnamese } from "./usage-vi.ts"

export const usageText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
