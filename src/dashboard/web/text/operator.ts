/** The words of the operator's pages, loaded only with them. */
import { explainAlso } from "../api.ts"
import { language } from "../language.ts"
import { english } from "./operator-en.ts"
import { vietnamese } from "./operator-vi.ts"

export const operatorText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)

explainAlso(() => operatorText().problems)
