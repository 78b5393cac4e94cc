/** The words of getting a new password, loaded only with its pages. */
import { language } from "../language.ts"
import { english } from "./new-password-en.ts"
import { vietnamese } from "./new-password-vi.ts"

export const newPasswordText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
