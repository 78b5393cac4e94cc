/** The words of what may be set on a key, loaded only with the keys page. */
import { explainAlso } from "../api.ts"
import { language } from "../language.ts"
import { english } from "./key-settings-en.ts"
import { vietnamese } from "./key-settings-vi.ts"

export const settingsText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)

explainAlso(() => settingsText().problems)
