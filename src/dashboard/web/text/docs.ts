/** The words of connecting and trying, loaded only with them. */
import { language } from "../language.ts"
import { english } from "./docs-en.ts"
import { vietnamese } from "./docs-vi.ts"

export const docsText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
