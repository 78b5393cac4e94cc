/** The words of an account's members, loaded only where they are shown. */
import { explainAlso } from "../api.ts"
import { language } from "../language.ts"
import { english } from "./team-en.ts"
import { vietnamese } from "./team-vi.ts"

export const teamText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)

explainAlso(() => teamText().problems)
