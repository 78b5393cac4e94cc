/** From when on a customer is told of what, by mail. */
import { useState } from "preact/hooks"
import { type AlertKind, alertKinds } from "../../../domain/alert-kinds.ts"
import { post } from "../api.ts"
import type { AlertSettings } from "../answers.ts"
import { Button } from "../components/Button.tsx"
import { Choice, Field } from "../components/Field.tsx"
import { FormFailure } from "../components/FormFailure.tsx"
import { toast } from "../components/Toasts.tsx"
import { text } from "../language.ts"
import { session } from "../session.ts"
import { alertsText } from "../text/alerts.ts"
import { amountOf, explainAmount, writeAmount } from "../typed-amount.ts"
import { useSubmit } from "../use-submit.ts"

const isEmail = (value: string) => value === "" || /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value)
const isDays = (value: string) =>
  value === "" || (/^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= 60)

interface FormProperties {
  readonly of: AlertSettings
  readonly accountEmail: string
}

export const AlertForm = ({ accountEmail, of }: FormProperties) => {
  const words = alertsText()
  const { auth } = text()
  const [below, setBelow] = useState(of.balance_below_vnd === null ? "" : writeAmount(of.balance_below_vnd))
  const [days, setDays] = useState(of.days_left === null ? "" : String(of.days_left))
  const [email, setEmail] = useState(of.email)
  const [language, setLanguage] = useState(of.language)
  const [mail, setMail] = useState(of.mail)
  const amount = below.trim() === "" ? null : amountOf(below)
  const isBelowGood = amount === null || (amount !== undefined && !/^-|^0$/.test(amount))
  const isWhole = isBelowGood && isDays(days.trim()) && isEmail(email.trim())
  const form = useSubmit(isWhole, async () => {
    await post("/alerts", {
      balance_below_vnd: amount ?? null,
      days_left: days.trim() === "" ? null : Number(days),
      mail,
      email: email.trim(),
      language
    })
    toast(words.saved)
  })
  return (
    <form noValidate class="space-y-4" onSubmit={form.submit}>
      {form.failure !== undefined && <FormFailure failure={form.failure} />}
      <NoMailNote />
      <Field
        label={words.below}
        hint={words.belowHint}
        inputMode="decimal"
        suffix="₫"
        autoComplete="off"
        maxLength={30}
        value={below}
        problem={form.isTried && !isBelowGood ? explainAmount(below, words.belowBad) : undefined}
        onText={setBelow}
      />
      <Field
        label={words.days}
        hint={words.daysHint}
        inputMode="numeric"
        suffix={words.daysSuffix}
        autoComplete="off"
        maxLength={2}
        value={days}
        problem={form.isTried && !isDays(days.trim()) ? words.daysBad : undefined}
        onText={setDays}
      />
      <Field
        label={words.email}
        hint={words.emailHint(accountEmail)}
        type="email"
        autoComplete="email"
        maxLength={254}
        value={email}
        problem={form.isTried && !isEmail(email.trim()) ? auth.badEmail : undefined}
        onText={setEmail}
      />
      <MailLanguage value={language} onChoose={setLanguage} />
      <KindFields legend={words.mailKinds} chosen={mail} onChosen={setMail} />
      <Button type="submit" look="primary" disabled={form.isBusy}>
        {words.save}
      </Button>
    </form>
  )
}

const NoMailNote = () =>
  session.value?.sends_mail === false ? (
    <p class="rounded-lg bg-warn-soft px-3.5 py-2.5 text-sm text-warn">{alertsText().noMail}</p>
  ) : null

interface LanguageProperties {
  readonly value: AlertSettings["language"]
  readonly onChoose: (language: AlertSettings["language"]) => void
}

const languages = [
  ["vi", "Tiếng Việt"],
  ["en", "English"]
] as const

const MailLanguage = ({ onChoose, value }: LanguageProperties) => {
  const words = alertsText()
  return (
    <div>
      <p class="mb-1.5 text-sm font-medium">{words.language}</p>
      <Choice label={words.language} value={value} options={languages} onChoose={onChoose} />
    </div>
  )
}

interface KindsProperties {
  readonly legend: string
  readonly chosen: ReadonlyArray<AlertKind>
  readonly onChosen: (chosen: ReadonlyArray<AlertKind>) => void
}

export const KindFields = ({ chosen, legend, onChosen }: KindsProperties) => {
  const words = alertsText()
  const choose = (kind: AlertKind, isChosen: boolean) =>
    onChosen(alertKinds.filter((each) => (each === kind ? isChosen : chosen.includes(each))))
  return (
    <fieldset>
      <legend class="mb-1.5 text-sm font-medium">{legend}</legend>
      <div class="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        {alertKinds.map((kind) => (
          <label key={kind} class="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={chosen.includes(kind)}
              onChange={(event) => choose(kind, event.currentTarget.checked)}
            />
            {words.kinds[kind]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
