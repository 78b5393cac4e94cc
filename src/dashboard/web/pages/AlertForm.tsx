/** From when on a customer is told of what, by mail. */
import { useState } from "preact/hooks"
import { type AlertKind, alertKinds } from "../../../domain/alert-kinds.ts"
import { daysLeftMax, emailLengthMax } from "../../../domain/field-limits.ts"
import { post } from "../api.ts"
import type { AlertSettings } from "../answers.ts"
import { changedFields } from "../changed-fields.ts"
import { Button } from "../components/Button.tsx"
import { Choice, Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { isEmail } from "../is-email.ts"
import { text } from "../language.ts"
import { session } from "../session.ts"
import { alertsText } from "../text/alerts.ts"
import { amountOf, explainAmount, writeAmount } from "../typed-amount.ts"
import { useSubmit } from "../use-submit.ts"

const isEmailOrNone = (value: string) => value === "" || isEmail(value)
const isDays = (value: string) =>
  value === "" || (/^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= daysLeftMax)

interface FormProperties {
  readonly of: AlertSettings
  readonly accountEmail: string
}

/** As in the fields. */
const typedOf = ({ balance_below_vnd: below, days_left: days, email, language, mail }: AlertSettings) => ({
  below: below === null ? "" : writeAmount(below),
  days: days === null ? "" : String(days),
  email,
  language,
  mail
})

/** `undefined` where something is not as it must be. */
const settingsOf = (typed: ReturnType<typeof typedOf>): AlertSettings | undefined => {
  const [days, email] = [typed.days.trim(), typed.email.trim()]
  const below = belowOf(typed.below)
  if (below === undefined || !isDays(days) || !isEmailOrNone(email)) return undefined
  const { language, mail } = typed
  return { balance_below_vnd: below, days_left: days === "" ? null : Number(days), mail, email, language }
}

/** `null`: never; `undefined` for what is no such balance. */
const belowOf = (typed: string): string | null | undefined => {
  if (typed.trim() === "") return null
  const amount = amountOf(typed)
  return amount === undefined || /^-|^0$/.test(amount) ? undefined : amount
}

export const AlertForm = ({ accountEmail, of }: FormProperties) => {
  const words = alertsText()
  const { auth } = text()
  const [former, setFormer] = useState(of)
  const [typed, setTyped] = useState(() => typedOf(of))
  const type = (change: Partial<typeof typed>) => setTyped((now) => ({ ...now, ...change }))
  const form = useSubmit(settingsOf(typed), async (whole) => {
    const { settings } = await post("/alerts", changedFields(former, whole) ?? {})
    setFormer(settings)
    // With what somebody else has changed meanwhile, but not in place of what is typed since.
    setTyped((now) => ({ ...typedOf(settings), ...changedFields(typed, now) }))
    toast(words.saved)
  })
  return (
    <Form of={form} class="space-y-4">
      <NoMailNote />
      <Field
        label={words.below}
        hint={words.belowHint}
        inputMode="decimal"
        suffix="₫"
        autoComplete="off"
        maxLength={30}
        value={typed.below}
        problem={
          form.isTried && belowOf(typed.below) === undefined
            ? explainAmount(typed.below, words.belowBad)
            : undefined
        }
        onText={(below) => type({ below })}
      />
      <Field
        label={words.days}
        hint={words.daysHint}
        inputMode="numeric"
        suffix={words.daysSuffix}
        autoComplete="off"
        maxLength={2}
        value={typed.days}
        problem={form.isTried && !isDays(typed.days.trim()) ? words.daysBad : undefined}
        onText={(days) => type({ days })}
      />
      <Field
        label={words.email}
        hint={words.emailHint(accountEmail)}
        type="email"
        autoComplete="email"
        maxLength={emailLengthMax}
        value={typed.email}
        problem={form.isTried && !isEmailOrNone(typed.email.trim()) ? auth.badEmail : undefined}
        onText={(email) => type({ email })}
      />
      <MailLanguage value={typed.language} onChoose={(language) => type({ language })} />
      <KindFields legend={words.mailKinds} chosen={typed.mail} onChosen={(mail) => type({ mail })} />
      <Button type="submit" look="primary" disabled={form.isBusy}>
        {words.save}
      </Button>
    </Form>
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
