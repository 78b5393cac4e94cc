/** Days of Viet Nam as the API names them. */
import { startOfNamedDay } from "../../../domain/vietnam-days.ts"
import { fullDay } from "../language.ts"

/** `2026-11-24` as people read it. */
export const shownDay = (day: string): string => fullDay(startOfNamedDay(day))
