/** The language of the page, and how it writes money, numbers and times. */
import { computed, signal } from "@preact/signals"
import type { Language } from "../../domain/language.ts"
import { startOfNamedDay, vietnamZone } from "../../domain/vietnam-days.ts"
import { english } from "./text/en.ts"
import { type Text, vietnamese } from "./text/vi.ts"

export const language = signal<Language>(document.documentElement.lang === "en" ? "en" : "vi")
const dictionary = computed<Text>(() => (language.value === "vi" ? vietnamese : english))

/** The words of the page; read it while rendering, so that a change of language shows. */
export const text = (): Text => dictionary.value

export const setLanguage = (next: Language): void => {
  language.value = next
  document.documentElement.lang = next
  remember("tollgate_language", next)
}

/** A cookie, so that the server can already send the page in the right language and theme. */
export const remember = (name: string, value: string): void => {
  document.cookie = `${name}=${value}; Path=/dashboard; Max-Age=31536000; SameSite=Lax`
}

const locale = () => (language.value === "vi" ? "vi-VN" : "en-GB")

/** Decimal VND as the API writes it, exact to the last digit: `1.062,4 ₫`. */
export const money = (vnd: string): string => `${decimal(vnd)} ₫`

/** The same of any other decimal. */
export const decimal = (text: string): string => {
  const { fraction, sign, whole } = moneyParts(text)
  return `${sign}${whole}${fraction}`
}

interface MoneyParts {
  readonly sign: string
  readonly whole: string
  /** With its separator; empty for whole dong. */
  readonly fraction: string
}

export const moneyParts = (vnd: string): MoneyParts => {
  const [whole = "0", fraction] = vnd.replace("-", "").split(".")
  const separator = language.value === "vi" ? "," : "."
  return {
    sign: vnd.startsWith("-") ? "−" : "",
    whole: BigInt(whole).toLocaleString(locale()),
    fraction: fraction === undefined ? "" : `${separator}${fraction}`
  }
}

export const number = (value: number): string => value.toLocaleString(locale())

/** `16.7K`, `16,7 nghìn`: the short forms of vi-VN, N and T, and of en-GB, m and bn, are read as something else. */
const compact = (digits: Intl.NumberFormatOptions) => (value: number) =>
  language.value === "vi"
    ? value.toLocaleString("vi-VN", { notation: "compact", compactDisplay: "long", ...digits })
    : value.toLocaleString("en-US", { notation: "compact", ...digits })

export const shortNumber = compact({ maximumFractionDigits: 1 })

/** For an axis, whose steps may be a fraction of a dong. */
export const axisNumber = compact({ maximumSignificantDigits: 3 })

const wholeDay = { timeZone: vietnamZone, day: "2-digit", month: "2-digit", year: "numeric" } as const
const minute = { ...wholeDay, hour: "2-digit", minute: "2-digit" } as const

/** `21:38 27/11/2026`: the short form of vi-VN writes `27/11/26`, its medium one `27 thg 11, 2026`. */
export const dateTime = (ms: number): string => new Date(ms).toLocaleString(locale(), minute)

export const exactTime = (ms: number): string =>
  language.value === "vi"
    ? new Date(ms).toLocaleString("vi-VN", { ...minute, second: "2-digit" })
    : new Date(ms).toLocaleString("en-GB", {
        timeZone: vietnamZone,
        dateStyle: "medium",
        timeStyle: "medium"
      })

/** `20/11` in both languages: where there is no year, vi-VN would write `20-11`. */
export const day = (ms: number): string =>
  new Date(ms).toLocaleDateString("en-GB", { timeZone: vietnamZone, day: "2-digit", month: "2-digit" })

export const fullDay = (ms: number): string => new Date(ms).toLocaleDateString(locale(), wholeDay)

/** Of `2026-11-20`. */
export const namedDay = (day: string): string => fullDay(startOfNamedDay(day))

export const hour = (ms: number): string =>
  new Date(ms).toLocaleTimeString(locale(), { timeZone: vietnamZone, hour: "2-digit", minute: "2-digit" })

/** "5 minutes ago"; the day itself after a week. */
export const ago = (ms: number): string => {
  const seconds = Math.round((ms - Date.now()) / 1_000)
  const format = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" })
  if (seconds > -60) return format.format(Math.min(seconds, 0), "second")
  if (seconds > -3_600) return format.format(Math.round(seconds / 60), "minute")
  if (seconds > -86_400) return format.format(Math.round(seconds / 3_600), "hour")
  return seconds > -604_800 ? format.format(Math.round(seconds / 86_400), "day") : fullDay(ms)
}
