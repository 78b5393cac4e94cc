/** The words of keys and of what may be set on them, loaded only with pages that show them. */
import { explainAlso } from "../api.ts"
import { language } from "../language.ts"
import { english } from "./keys-en.ts"
import { vietnamese } from "./keys-vi.ts"

export const keysText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)

explainAlso(() => keysText().problems)
