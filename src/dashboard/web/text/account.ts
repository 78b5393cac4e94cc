/** The words of the page of one's own account, loaded only with it. */
import { language } from "../language.ts"
import { english } from "./account-en.ts"
import { vietnamese } from "./account-vi.ts"

export const accountText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
