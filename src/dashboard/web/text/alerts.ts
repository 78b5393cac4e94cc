/** The words of the alerts page, loaded only with it. */
import { explainAlso } from "../api.ts"
import { language } from "../language.ts"
import { english } from "./alerts-en.ts"
import { vietnamese } from "./alerts-vi.ts"

export const alertsText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)

explainAlso(() => alertsText().problems)
