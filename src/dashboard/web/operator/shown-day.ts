/** Days of Viet Nam as the API names them. */
import { fullDay } from "../language.ts"

export const startOf = (day: string): number => Date.parse(`${day}T00:00:00+07:00`)

/** `2026-11-24` as people read it. */
export const shownDay = (day: string): string => fullDay(startOf(day))
