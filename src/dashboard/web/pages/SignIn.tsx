/** Signing in, and the forms that are like it. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import {
  emailLengthMax,
  passwordLengthMax,
  passwordLengthMin,
  personNameLengthMax
} from "../../../domain/field-limits.ts"
import { isOwnEmail, typedEmail } from "../../../domain/typed-text.ts"
import { Button, Link } from "../components/Button.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { useHeading } from "../focus-heading.ts"
import { text } from "../language.ts"
import { lazy } from "../lazy.tsx"
import { beginSignIn, loadSession, secondStep, session } from "../session.ts"
import { Brand, Preferences } from "../Shell.tsx"
import { useSubmit } from "../use-submit.ts"

type FieldName = "name" | "email" | "password"
type Values = Readonly<Record<FieldName, string>>

/** Of a new password none: cut off, it would be another one than its manager keeps. */
const lengthMaxOf = (name: FieldName, isNew: boolean): number | undefined => {
  if (name === "password") return isNew ? undefined : passwordLengthMax
  return name === "name" ? personNameLengthMax : emailLengthMax
}

const problemOf = (name: FieldName, value: string, isNew: boolean): string | undefined => {
  const { auth } = text()
  if (value.trim() === "") return auth.required
  if (name === "email" && !isOwnEmail(typedEmail(value))) return auth.badEmail
  return isNew && name === "password" && value.length < passwordLengthMin ? auth.shortPassword : undefined
}

interface AuthFormProperties {
  readonly fields: ReadonlyArray<FieldName>
  /** The password is chosen here, not checked. */
  readonly isNew?: boolean
  readonly submit: string
  readonly onSubmit: (values: Values) => Promise<void>
  readonly beforeSubmit?: ComponentChildren
}

/** Says what is wrong with a field once it was left or sent. */
export const AuthForm = ({ fields, isNew = false, submit, onSubmit, beforeSubmit }: AuthFormProperties) => {
  const [values, setValues] = useState<Values>({ name: "", email: "", password: "" })
  const [left, setLeft] = useState<ReadonlySet<FieldName>>(new Set())
  const { auth } = text()
  const problem = (name: FieldName) => problemOf(name, values[name], isNew)
  const form = useSubmit(fields.every((name) => problem(name) === undefined) && values, onSubmit)
  return (
    <Form of={form} class="space-y-5">
      {fields.map((name) => (
        <Field
          key={name}
          name={name}
          label={name === "password" && isNew && fields.length === 1 ? auth.newPassword : auth[name]}
          type={name === "name" ? "text" : name}
          autoComplete={name === "password" ? (isNew ? "new-password" : "current-password") : name}
          hint={isNew && name === "password" ? auth.passwordHint : undefined}
          maxLength={lengthMaxOf(name, isNew)}
          value={values[name]}
          problem={form.isTried || left.has(name) ? problem(name) : undefined}
          onText={(value) => setValues((former) => ({ ...former, [name]: value }))}
          onBlur={() => values[name] !== "" && setLeft((former) => new Set([...former, name]))}
        />
      ))}
      {beforeSubmit}
      <Button type="submit" look="primary" class="w-full" disabled={form.isBusy}>
        {submit}
      </Button>
    </Form>
  )
}

const hasOtherWays = (): boolean =>
  session.value?.passkey_host === location.hostname || !!session.value?.sign_in_with.length

export const OtherWays = lazy(() => import("../components/OtherWays.tsx"), "OtherWays", null)

export const SignIn = () => {
  const { auth } = text()
  return (
    <AuthFrame title={auth.signInTitle} intro={auth.signInIntro}>
      <AuthForm
        fields={["email", "password"]}
        submit={auth.signIn}
        onSubmit={async ({ email, password }) => {
          if (await beginSignIn(email.trim(), password)) secondStep.value = true
          else await loadSession()
        }}
        beforeSubmit={
          <p class="-mt-1 text-sm">
            <Link to="/forgot" class="text-accent-ink underline-offset-4 hover:underline">
              {auth.forgot}
            </Link>
          </p>
        }
      />
      {hasOtherWays() && <OtherWays />}
      <Aside question={auth.noAccount} to="/signup" answer={auth.signUp} />
    </AuthFrame>
  )
}

/** Where somebody wanted to go before they were asked who they are. */
const wanted = () => (location.search.startsWith("?next=") ? location.search : "")

export const Aside = ({ question, to, answer }: { question?: string; to: string; answer: string }) => (
  <p class="mt-7 text-center text-sm text-soft">
    {question}{" "}
    <Link to={to + wanted()} class="font-medium text-accent-ink underline-offset-4 hover:underline">
      {answer}
    </Link>
  </p>
)

const Pitch = lazy(() => import("./Pitch.tsx"), "Pitch", null)

/** The form beside what the product is. */
export const AuthFrame = (properties: { title: string; intro: string; children: ComponentChildren }) => {
  const heading = useHeading(properties.title)
  return (
    <div class="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div class="flex flex-col px-5 sm:px-10">
        <header class="flex h-20 items-center justify-between">
          <Brand />
          <Preferences />
        </header>
        <main id="main" class="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-10">
          <h1 ref={heading} tabIndex={-1} class="text-[1.75rem] leading-tight font-semibold tracking-tight">
            {properties.title}
          </h1>
          <p class="mt-1.5 mb-8 text-soft">{properties.intro}</p>
          {properties.children}
        </main>
        <footer class="flex h-16 items-center justify-center text-sm lg:justify-start">
          <Link to="/models" class="text-soft underline-offset-4 hover:text-ink hover:underline">
            {text().models.title}
          </Link>
        </footer>
      </div>
      <Pitch />
    </div>
  )
}
