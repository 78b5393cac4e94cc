/** The words of topping up, loaded only with that page. */
import { explainAlso } from "../api.ts"
import { language } from "../language.ts"
import { english } from "./paying-en.ts"
import { vietnamese } from "./paying-vi.ts"

export const payingText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)

explainAlso(() => payingText().problems)
