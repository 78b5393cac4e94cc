/** Days, weeks and months as customers see them: Viet Nam is UTC+7 all year. */

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
const offsetMs = 7 * hourMs

export const vietnamZone = "Asia/Ho_Chi_Minh"

/** Behind a time that is Viet Nam's and does not say so. */
export const vietnamOffset = "+07:00"

/** Ahead, and by a year at most: what may be planned. */
export const isWithinYear = (ms: number, nowMs: number): boolean => ms > nowMs && ms < nowMs + 366 * dayMs

export const startOfHour = (ms: number): number => Math.floor(ms / hourMs) * hourMs

export const startOfDay = (ms: number): number => Math.floor((ms + offsetMs) / dayMs) * dayMs - offsetMs

/** Weeks begin on Mondays. */
export const startOfWeek = (ms: number): number =>
  startOfDay(ms) - ((new Date(ms + offsetMs).getUTCDay() + 6) % 7) * dayMs

export const startOfMonth = (ms: number): number => {
  const local = new Date(ms + offsetMs)
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - offsetMs
}

/** `2026-11-20`. */
export const dayText = (ms: number): string => new Date(ms + offsetMs).toISOString().slice(0, 10)

/** Whether it is a day of the calendar, such as `2026-11-20`; PostgreSQL knows no year 0. */
export const isDay = (text: string): boolean => {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && !text.startsWith("00") && new Date(ms).toISOString().slice(0, 10) === text
}

/** When the day `2026-11-20` begins; `NaN` for what is no day. */
export const startOfNamedDay = (day: string): number => Date.parse(`${day}T00:00:00${vietnamOffset}`)

/** For programs: `2026-11-30T00:00:00+07:00`. */
export const vietnamTime = (ms: number): string =>
  `${new Date(ms + offsetMs).toISOString().slice(0, 19)}${vietnamOffset}`

/** `2026-11-20 14:05:09`. */
export const vietnamText = (ms: number): string =>
  new Date(ms + offsetMs).toISOString().slice(0, 19).replace("T", " ")
