/** What a mail says of an alert, in the language that the account has chosen. */
import { isAlertKind } from "../domain/alert-kinds.ts"
import { vietnamZone } from "../domain/vietnam-days.ts"
import { addressBlock } from "../domain/address-block.ts"
import type { Alert } from "../storage/alerts/DeliveryStore.ts"
import type { Language } from "../domain/language.ts"
import { mailWords, type MailFacts } from "./mail-words.ts"

const locales = { vi: "vi-VN", en: "en-GB" } as const

export interface Reader {
  readonly language: Language
  /** Of whose account they are a member; `undefined`: whoever the account has its alerts sent to. */
  readonly memberOf: string | undefined
}

export const writeAlertMail = (
  { atMs, detail, kind }: Alert,
  { language, memberOf }: Reader,
  publicUrl: string
): { readonly subject: string; readonly text: string } => {
  const words = mailWords[language]
  const facts = factsOf(detail, language)
  const closing =
    memberOf === undefined
      ? `-- \n${words.closing}\n${publicUrl}/dashboard/alerts`
      : `-- \n${words.closingForMember(memberOf)}`
  // A kind of a later version, delivered by an older node.
  if (!isAlertKind(kind)) return { subject: `Tollgate: ${kind}`, text: closing }
  const { lines, place, subject } = words.kinds[kind](facts, formatMoment(new Date(atMs), language))
  // Where members see what is theirs.
  const open = memberOf === undefined ? place : "keys"
  const text = [...lines, "", `${words.open}: ${publicUrl}/dashboard/${open}`, "", closing]
  return { subject: `Tollgate: ${subject}`, text: text.join("\n") }
}

const factsOf = (detail: Alert["detail"], language: Language): MailFacts => ({
  money: (name) => formatMoney(String(detail[name] ?? "0"), language),
  text: (name) => oneLine(detail[name]),
  address: addressBlock(oneLine(detail["address"])),
  number: (name) => new Intl.NumberFormat(locales[language]).format(Number(detail[name] ?? 0)),
  key: nameOf(detail["key"]),
  member: nameOf(detail["member"]),
  moment: (name) =>
    typeof detail[name] === "string" ? formatMoment(new Date(detail[name]), language) : undefined
})

const nameOf = (whose: unknown): string => oneLine((whose as { readonly name?: unknown } | undefined)?.name)

/** Names are people's own, and so is where mail goes: they stay on one line, and no mail program makes a link of them. */
const oneLine = (value: unknown): string =>
  String(value ?? "")
    .replaceAll(/\s+/g, " ")
    .slice(0, 300)
    .replaceAll("://", ": //")
    .replaceAll(/[.\u3002\uff0e\uff61](?=\p{L})/gu, "$& ")

/** Whole dong: what is less than one matters to no one who is being warned. Never more than there is: a text is read exactly. */
const formatMoney = (vnd: string, language: Language): string =>
  `${new Intl.NumberFormat(locales[language], { maximumFractionDigits: 0, roundingMode: "floor" }).format(vnd as `${number}`)} ₫`

/** `21:38 27/11/2026`, where vi-VN would write `27 thg 11, 2026`; `27 Nov 2026, 21:38`. */
const formatMoment = (at: Date, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { ...forms[language], timeZone: vietnamZone }).format(at)

const forms = {
  vi: { day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit" },
  en: { dateStyle: "medium", timeStyle: "short" }
} as const
