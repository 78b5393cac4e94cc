/** The words of the page of the service's status, loaded only with it. */
import { language } from "../language.ts"
import { english } from "./status-en.ts"
import { vietnamese } from "./status-vi.ts"

export const statusText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
