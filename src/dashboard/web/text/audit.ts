/** The words of the audit log, loaded only with it. */
import { language } from "../language.ts"
import { english } from "./audit-en.ts"
import { vietnamese } from "./audit-vi.ts"

export const auditText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
