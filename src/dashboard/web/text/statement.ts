/** The words of the statement and of receipts, loaded only with them. */
import { language } from "../language.ts"
import { english } from "./statement-en.ts"
import { vietnamese } from "./statement-vi.ts"

export const statementText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
