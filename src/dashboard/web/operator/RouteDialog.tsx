/** Adds a route to a provider, or changes one that was added. Its key is written once and never shown. */
import { useState } from "preact/hooks"
import { routePriorityMax } from "../../../domain/field-limits.ts"
import { ApiError, post } from "../api.ts"
import { changedFields } from "../changed-fields.ts"
import { Button } from "../components/Button.tsx"
import { ConfirmEnd } from "../components/ConfirmEnd.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field, SelectField } from "../components/Field.tsx"
import { FormFailure } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { newName } from "../new-name.ts"
import { providersText } from "../text/providers.ts"
import { useSubmit } from "../use-submit.ts"
import type { ProviderRoute } from "./answers.ts"

const priorityOf = (typed: string): number | undefined => {
  const priority = Number(typed)
  return /^\d{1,4}$/.test(typed.trim()) && priority >= 1 && priority <= routePriorityMax
    ? priority
    : undefined
}

interface RouteDialogProperties {
  readonly providers: ReadonlyArray<string>
  /** Without it one is added. */
  readonly route?: ProviderRoute
  readonly onClose: () => void
}

interface Typed {
  readonly provider: string
  readonly baseUrl: string
  readonly key: string
  readonly models: string
  readonly priority: string
}

const fieldsOf = ({ baseUrl, key, models, priority }: Typed) => ({
  base_url: baseUrl.trim(),
  key: key.trim(),
  models: models.split(/[\s,]+/).filter((model) => model !== ""),
  priority: priorityOf(priority)
})

export const RouteDialog = ({ onClose, providers, route }: RouteDialogProperties) => {
  // The route may be listed anew while this is open.
  const [former] = useState<Typed>({
    provider: route?.provider ?? providers[0] ?? "",
    baseUrl: route?.base_url ?? "",
    key: "",
    models: route?.models.join(", ") ?? "",
    priority: String(route?.priority ?? 1)
  })
  const [typed, setTyped] = useState(former)
  // Names what is added: sent twice, it is one.
  const [id] = useState(() => newName())
  const words = providersText()
  const fields = fieldsOf(typed)
  const isGood = fields.base_url !== "" && (route !== undefined || fields.key !== "")
  const { priority } = fields
  const whole = isGood && priority !== undefined && { ...fields, priority }
  const form = useSubmit(whole, async (whole) => {
    if (route === undefined) await post("/operator/routes", { provider: typed.provider, id, ...whole })
    else {
      const changed = changedFields(fieldsOf(former), whole)
      await post("/operator/routes/change", { route: route.id, ...changed })
    }
    toast(words.savedRoute)
    onClose()
  })
  return (
    <Dialog title={route === undefined ? words.addTitle : words.editTitle(route.id)} onClose={onClose}>
      <form noValidate class="space-y-4" onSubmit={form.submit}>
        <Refusal failure={form.failure} />
        {route === undefined && (
          <SelectField
            label={words.provider}
            value={typed.provider}
            options={providers.map((name) => [name, name] as const)}
            onText={(provider) => setTyped({ ...typed, provider })}
          />
        )}
        <RouteFields typed={typed} isNew={route === undefined} isTried={form.isTried} onTyped={setTyped} />
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

interface RouteFieldsProperties {
  readonly typed: Typed
  readonly isNew: boolean
  readonly isTried: boolean
  readonly onTyped: (typed: Typed) => void
}

const RouteFields = ({ isNew, isTried, onTyped, typed }: RouteFieldsProperties) => {
  const words = providersText()
  const needed = (value: string) => (isTried && value.trim() === "" ? words.needed : undefined)
  return (
    <>
      <Field
        label={words.baseUrl}
        hint={words.baseUrlHint}
        isExact
        autoComplete="off"
        autoFocus
        maxLength={500}
        value={typed.baseUrl}
        problem={needed(typed.baseUrl)}
        onText={(baseUrl) => onTyped({ ...typed, baseUrl })}
      />
      <Field
        label={words.key}
        hint={isNew ? words.keyHint : words.keyKept}
        type="password"
        autoComplete="off"
        maxLength={1_000}
        value={typed.key}
        problem={isNew ? needed(typed.key) : undefined}
        onText={(key) => onTyped({ ...typed, key })}
      />
      <Field
        label={words.modelsOnly}
        hint={words.modelsHint}
        isExact
        autoComplete="off"
        value={typed.models}
        onText={(models) => onTyped({ ...typed, models })}
      />
      <Field
        label={words.priority}
        hint={words.priorityHint}
        inputMode="numeric"
        autoComplete="off"
        value={typed.priority}
        problem={isTried && priorityOf(typed.priority) === undefined ? words.priorityBad : undefined}
        onText={(priority) => onTyped({ ...typed, priority })}
      />
    </>
  )
}

const Refusal = ({ failure }: { readonly failure: unknown }) => {
  const words = providersText()
  if (failure === undefined) return null
  const code = failure instanceof ApiError ? failure.code : ""
  const known = {
    route_refused: words.refused,
    invalid: words.invalid,
    too_many_routes: words.tooMany
  }[code]
  if (known === undefined) return <FormFailure failure={failure} />
  return (
    <p role="alert" class="rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn">
      {known}
    </p>
  )
}

export const AddedRouteActions = (properties: {
  readonly route: ProviderRoute
  readonly onChanged: () => void
}) => {
  const { onChanged, route } = properties
  const [open, setOpen] = useState<"edit" | "remove">()
  const words = providersText()
  const close = () => {
    setOpen(undefined)
    onChanged()
  }
  return (
    <>
      <Button small onClick={() => setOpen("edit")}>
        {words.edit}
        <span class="sr-only">{route.id}</span>
      </Button>
      <Button small onClick={() => setOpen("remove")}>
        {words.remove}
        <span class="sr-only">{route.id}</span>
      </Button>
      {open === "edit" && <RouteDialog providers={[]} route={route} onClose={close} />}
      {open === "remove" && (
        <ConfirmEnd
          title={words.removeTitle(route.id)}
          hint={words.removeHint}
          action={words.remove}
          done={words.removed}
          end={() => post("/operator/routes/remove", { route: route.id })}
          onClose={close}
        />
      )}
    </>
  )
}
