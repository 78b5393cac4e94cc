/** The words of the pages on margins and purchase prices, loaded only with them. */
import { language } from "../language.ts"
import { english } from "./margin-en.ts"
import { vietnamese } from "./margin-vi.ts"

export const marginText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
