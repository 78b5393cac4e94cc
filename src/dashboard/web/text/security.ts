/** The words of second factors, loaded only with what asks for them. */
import { explainAlso } from "../api.ts"
import { language } from "../language.ts"
import { english } from "./security-en.ts"
import { vietnamese } from "./security-vi.ts"

export const securityText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)

explainAlso(() => securityText().problems)
