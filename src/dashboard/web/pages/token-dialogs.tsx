/** The dialogs of the page of management tokens. */
import { useState } from "preact/hooks"
import { managementScopes, mayHaveScope, type Scope } from "../../../domain/management-scopes.ts"
import { post } from "../api.ts"
import type { Token } from "../answers.ts"
import { ConfirmEnd } from "../components/ConfirmEnd.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Choice, Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { hasPassword, OwnPassword, passwordIn } from "../components/OwnPassword.tsx"
import { NewSecret } from "../components/SecretText.tsx"
import { text } from "../language.ts"
import { session } from "../session.ts"
import { tokensText } from "../text/tokens.ts"
import { useSubmit } from "../use-submit.ts"
import { dayMs } from "../../../domain/vietnam-days.ts"
import { nameLengthMax } from "../../../domain/field-limits.ts"

const dayChoices = ["30", "90", "365"] as const

export const CreateToken = ({ onClose }: { readonly onClose: () => void }) => {
  const [secret, setSecret] = useState<string>()
  const words = tokensText()
  return (
    <Dialog title={secret ? words.createdTitle : words.create} onClose={onClose}>
      {secret ? (
        <NewSecret hint={words.createdHint} value={secret} label={words.token} onClose={onClose} />
      ) : (
        <CreateForm onCreated={setSecret} onClose={onClose} />
      )}
    </Dialog>
  )
}

const CreateForm = (properties: { onCreated: (secret: string) => void; onClose: () => void }) => {
  const [name, setName] = useState("")
  const [days, setDays] = useState<(typeof dayChoices)[number]>("90")
  const [scopes, setScopes] = useState<ReadonlyArray<Scope>>(["usage:read"])
  const [password, setPassword] = useState("")
  const { auth } = text()
  const words = tokensText()
  const isWhole = name.trim() !== "" && scopes.length > 0 && hasPassword(password)
  const form = useSubmit(isWhole, async () => {
    const expires = Date.now() + Number(days) * dayMs
    const made = await post("/tokens", {
      name: name.trim(),
      scopes,
      expires_at: expires,
      ...passwordIn(password)
    })
    properties.onCreated(made.token)
  })
  const missing = (value: string) => (form.isTried && value.trim() === "" ? auth.required : undefined)
  return (
    <Form of={form} class="space-y-5">
      <Field
        label={words.name}
        hint={words.nameHint}
        autoFocus
        maxLength={nameLengthMax}
        value={name}
        problem={missing(name)}
        onText={setName}
      />
      <ScopeFields chosen={scopes} isTried={form.isTried} onChosen={setScopes} />
      <div>
        <p class="mb-1.5 text-sm font-medium">{words.days}</p>
        <Choice
          label={words.days}
          value={days}
          options={dayChoices.map((choice) => [choice, words.daysOf(Number(choice))] as const)}
          onChoose={setDays}
        />
      </div>
      <OwnPassword hint={words.passwordHint} value={password} isTried={form.isTried} onText={setPassword} />
      <FormActions form={form} action={words.create} onCancel={properties.onClose} />
    </Form>
  )
}

interface ScopeFieldsProperties {
  readonly chosen: ReadonlyArray<Scope>
  readonly isTried: boolean
  readonly onChosen: (scopes: ReadonlyArray<Scope>) => void
}

const ScopeFields = ({ chosen, isTried, onChosen }: ScopeFieldsProperties) => {
  const words = tokensText()
  const role = session.value?.person?.role ?? undefined
  const offered = managementScopes.filter((scope) => mayHaveScope(role, scope))
  const isBad = isTried && chosen.length === 0
  return (
    <fieldset aria-describedby="scopes-note">
      <legend class="mb-1.5 text-sm font-medium">{words.scopesLegend}</legend>
      <div class="space-y-2">
        {offered.map((scope) => (
          <label key={scope} class="flex items-start gap-2.5 text-sm">
            <input
              type="checkbox"
              class="mt-0.5 size-4 shrink-0"
              aria-invalid={isBad}
              checked={chosen.includes(scope)}
              onChange={({ currentTarget }) =>
                onChosen(
                  offered.filter((each) => (each === scope ? currentTarget.checked : chosen.includes(each)))
                )
              }
            />
            <span>
              {words.scopes[scope]} <code class="text-[0.8125rem] text-faint">{scope}</code>
            </span>
          </label>
        ))}
      </div>
      <p id="scopes-note" class={isBad ? "mt-1.5 text-[0.8125rem] text-danger" : ""}>
        {isBad && words.noScope}
      </p>
    </fieldset>
  )
}

export const RevokeToken = ({ of, onClose }: { readonly of: Token; readonly onClose: () => void }) => {
  const words = tokensText()
  return (
    <ConfirmEnd
      title={words.revokeTitle(of.name)}
      hint={words.revokeHint}
      action={words.revoke}
      done={words.revokedToast}
      end={() => post("/tokens/:id/revoke", {}, { id: of.id })}
      onClose={onClose}
    />
  )
}
