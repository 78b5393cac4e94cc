/** Days and months as customers see them: Viet Nam is UTC+7 all year. */

const offsetMs = 7 * 3_600_000

export const startOfDay = (nowMs: number): Date => {
  const local = new Date(nowMs + offsetMs)
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()) - offsetMs)
}

export const startOfMonth = (nowMs: number): Date => {
  const local = new Date(nowMs + offsetMs)
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - offsetMs)
}

/** `2026-11-20`. */
export const dayText = (ms: number): string => new Date(ms + offsetMs).toISOString().slice(0, 10)
