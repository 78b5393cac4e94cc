/** What a mail says of an alert, in the language that the account has chosen. */
import { vietnamZone } from "../domain/vietnam-days.ts"
import type { Alert } from "../storage/DeliveryStore.ts"
import { mailWords, type MailFacts, type Language } from "./mail-words.ts"

const locales = { vi: "vi-VN", en: "en-GB" } as const

export const writeAlertMail = (
  { atMs, detail, kind }: Alert,
  language: Language,
  publicUrl: string
): { readonly subject: string; readonly text: string } => {
  const words = mailWords[language]
  const facts = factsOf(detail, language)
  const write = words.kinds[kind]
  // A kind of a later version, delivered by an older node.
  if (write === undefined) return { subject: `Tollgate: ${kind}`, text: signed(words.closing, publicUrl) }
  const { lines, place, subject } = write(facts, formatMoment(new Date(atMs), language))
  const text = [
    ...lines,
    "",
    `${words.open}: ${publicUrl}/dashboard/${place}`,
    "",
    signed(words.closing, publicUrl)
  ]
  return { subject: `Tollgate: ${subject}`, text: text.join("\n") }
}

const signed = (closing: string, publicUrl: string) => `-- \n${closing}\n${publicUrl}/dashboard/alerts`

const factsOf = (detail: Alert["detail"], language: Language): MailFacts => ({
  money: (name) => formatMoney(String(detail[name] ?? "0"), language),
  text: (name) => oneLine(detail[name]),
  key: oneLine((detail["key"] as { readonly name?: unknown } | undefined)?.name),
  moment: (name) =>
    typeof detail[name] === "string" ? formatMoment(new Date(detail[name]), language) : undefined
})

/** Names are people's own; in a mail they stay on one line. */
const oneLine = (value: unknown): string =>
  String(value ?? "")
    .replaceAll(/\s+/g, " ")
    .slice(0, 300)

/** Whole dong: what is less than one matters to no one who is being warned. */
const formatMoney = (vnd: string, language: Language): string =>
  `${new Intl.NumberFormat(locales[language], { maximumFractionDigits: 0 }).format(Number(vnd))} ₫`

const formatMoment = (at: Date, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: vietnamZone
  }).format(at)
