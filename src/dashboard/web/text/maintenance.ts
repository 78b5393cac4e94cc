/** The words around what operators say of maintenance, loaded only where something is said. */
import { language } from "../language.ts"
import { english } from "./maintenance-en.ts"
import { vietnamese } from "./maintenance-vi.ts"

export const maintenanceText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)
