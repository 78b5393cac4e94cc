/** The words of what lies ahead of an account, loaded only with it. */
import { language } from "../language.ts"
import { english } from "./outlook-en.ts"
import { vietnamese } from "./outlook-vi.ts"

export const outlookText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
