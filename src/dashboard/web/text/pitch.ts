/** What the product is, loaded once the form beside it is there. */
import { language } from "../language.ts"
import { english } from "./pitch-en.ts"
import { vietnamese } from "./pitch-vi.ts"

export const pitchText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
