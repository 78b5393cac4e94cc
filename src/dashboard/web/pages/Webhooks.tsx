/** A customer's webhooks, and the dialogs that make and change them. */
import { useState } from "preact/hooks"
import { type AlertKind, alertKinds } from "../../../domain/alert-kinds.ts"
import { webhookUrlLengthMax } from "../../../domain/field-limits.ts"
import { ApiError, post } from "../api.ts"
import type { AlertsAnswer, Webhook } from "../answers.ts"
import { changedFields } from "../changed-fields.ts"
import { Button } from "../components/Button.tsx"
import { ConfirmEnd } from "../components/ConfirmEnd.tsx"
import { Dialog, DialogActions } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { Card, Empty, Show } from "../components/Layout.tsx"
import { NewSecret } from "../components/SecretText.tsx"
import { toast } from "../components/Toasts.tsx"
import { dateTime, text } from "../language.ts"
import { alertsText } from "../text/alerts.ts"
import { useAction } from "../use-action.ts"
import type { Loaded } from "../use-load.ts"
import { useSubmit } from "../use-submit.ts"
import { KindFields } from "./AlertForm.tsx"

type Opened =
  | { readonly kind: "edit" | "rotate" | "remove"; readonly webhook: Webhook }
  | { readonly kind: "add" }

interface WebhooksProperties {
  readonly of: Loaded<AlertsAnswer>
  readonly onSent: () => void
}

export const Webhooks = ({ of, onSent }: WebhooksProperties) => {
  const words = alertsText()
  const [opened, setOpened] = useState<Opened>()
  const close = () => {
    setOpened(undefined)
    of.reload()
  }
  const add = (
    <Button small icon="plus" onClick={() => setOpened({ kind: "add" })}>
      {words.add}
    </Button>
  )
  return (
    <Card title={words.webhooks} flush aside={add}>
      <Show of={of}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty icon="terminal" title={words.noWebhooks} hint={words.webhooksHint} />
          ) : (
            <ul class="divide-y divide-line border-t border-line">
              {webhooks.map((webhook) => (
                <WebhookLine
                  key={webhook.id}
                  of={webhook}
                  onOpen={setOpened}
                  onChanged={of.reload}
                  onSent={onSent}
                />
              ))}
            </ul>
          )
        }
      </Show>
      {opened?.kind === "add" && <EditWebhook onClose={close} />}
      {opened?.kind === "edit" && <EditWebhook of={opened.webhook} onClose={close} />}
      {opened?.kind === "rotate" && <RotateSecret of={opened.webhook} onClose={close} />}
      {opened?.kind === "remove" && <RemoveWebhook of={opened.webhook} onClose={close} />}
    </Card>
  )
}

interface LineProperties {
  readonly of: Webhook
  readonly onOpen: (opened: Opened) => void
  readonly onChanged: () => void
  readonly onSent: () => void
}

const WebhookLine = ({ of, onChanged, onOpen, onSent }: LineProperties) => {
  const words = alertsText()
  const test = useAction(async () => {
    await post("/alerts/webhooks/:id/test", {}, { id: of.id })
    toast(words.tested)
    onSent()
  })
  const pause = useAction(() =>
    post("/alerts/webhooks/:id", { paused: !of.paused }, { id: of.id }).then(onChanged)
  )
  const former = of.former_secret_until
  return (
    <li class="px-5 py-3.5 text-sm">
      <p class="font-medium wrap-anywhere">
        {of.url} {of.paused && <span class="badge badge-warn ml-1">{words.paused}</span>}
      </p>
      <p class="text-[0.8125rem] text-faint">
        {words.kindCount(of.kinds.length)}
        {former !== null && ` · ${words.bothUntil(dateTime(former))}`}
      </p>
      <div class="mt-1.5 -ml-2 flex flex-wrap">
        <Button look="quiet" small disabled={test.isBusy} onClick={test.start}>
          {words.test}
        </Button>
        <Button look="quiet" small onClick={() => onOpen({ kind: "edit", webhook: of })}>
          {words.edit}
        </Button>
        <Button look="quiet" small disabled={pause.isBusy} onClick={pause.start}>
          {of.paused ? words.resume : words.pause}
        </Button>
        <Button look="quiet" small onClick={() => onOpen({ kind: "rotate", webhook: of })}>
          {words.rotate}
        </Button>
        <Button look="danger" small onClick={() => onOpen({ kind: "remove", webhook: of })}>
          {words.remove}
        </Button>
      </div>
    </li>
  )
}

const isUrl = (value: string) => /^https?:\/\/[^\s/]+/i.test(value)

/** The usual ones for a program: what it can act upon. */
const usualKinds: ReadonlyArray<AlertKind> = alertKinds.filter((kind) =>
  /^(balance|budget|top_up)/.test(kind)
)

const EditWebhook = ({ of, onClose }: { readonly of?: Webhook; readonly onClose: () => void }) => {
  const words = alertsText()
  const [url, setUrl] = useState(of?.url ?? "")
  const [kinds, setKinds] = useState(of?.kinds ?? usualKinds)
  const [secret, setSecret] = useState<string>()
  const typed = url.trim()
  const [refusal, setRefusal] = useState<string>()
  const send = async () => {
    if (of === undefined) return setSecret((await post("/alerts/webhooks", { url: typed, kinds })).secret)
    const changed = changedFields({ url: of.url, kinds: of.kinds }, { url: typed, kinds })
    await post("/alerts/webhooks/:id", changed ?? {}, { id: of.id })
    onClose()
  }
  const form = useSubmit(isUrl(typed), () =>
    send().catch((failure: unknown) => {
      const refusals: Readonly<Record<string, string>> = words.refusals
      const known = failure instanceof ApiError ? refusals[failure.code] : undefined
      if (known === undefined) throw failure
      setRefusal(known)
    })
  )
  if (secret !== undefined) return <ShownSecret secret={secret} onClose={onClose} />
  return (
    <Dialog title={of === undefined ? words.add : words.edit} onClose={onClose}>
      <Form of={form} class="space-y-5">
        <Field
          label={words.url}
          isExact
          autoComplete="off"
          autoFocus
          maxLength={webhookUrlLengthMax}
          value={url}
          problem={form.isTried && !isUrl(typed) ? words.urlBad : refusal}
          onText={(text) => {
            setUrl(text)
            setRefusal(undefined)
          }}
        />
        <KindFields legend={words.sendWhen} chosen={kinds} onChosen={setKinds} />
        <FormActions form={form} action={of === undefined ? words.add : words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

const ShownSecret = ({ onClose, secret }: { readonly secret: string; readonly onClose: () => void }) => {
  const words = alertsText()
  return (
    <Dialog title={words.created} onClose={onClose}>
      <NewSecret hint={words.createdHint} value={secret} label={words.secret} onClose={onClose} />
    </Dialog>
  )
}

const overlapHours = 24

const RotateSecret = ({ of, onClose }: { readonly of: Webhook; readonly onClose: () => void }) => {
  const words = alertsText()
  const [secret, setSecret] = useState<string>()
  const form = useSubmit(true, async () => {
    const body = { overlap_hours: overlapHours, former_secret_until: of.former_secret_until }
    const answer = await post("/alerts/webhooks/:id/rotate", body, { id: of.id })
    setSecret(answer.secret)
  })
  if (secret !== undefined) return <ShownSecret secret={secret} onClose={onClose} />
  return (
    <Dialog title={words.rotate} onClose={onClose}>
      <Form of={form}>
        <p class="text-soft">{words.rotateHint}</p>
        {of.former_secret_until !== null && (
          <p class="mt-2 text-sm text-warn">{words.formerEnds(dateTime(of.former_secret_until))}</p>
        )}
        <DialogActions>
          <Button autoFocus onClick={onClose}>
            {text().common.cancel}
          </Button>
          <Button type="submit" look="primary" disabled={form.isBusy}>
            {words.rotate}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

const RemoveWebhook = ({ of, onClose }: { readonly of: Webhook; readonly onClose: () => void }) => {
  const words = alertsText()
  return (
    <ConfirmEnd
      title={words.removeTitle}
      hint={words.removeHint}
      action={words.remove}
      done={words.removed}
      end={() => post("/alerts/webhooks/:id/delete", {}, { id: of.id })}
      onClose={onClose}
    />
  )
}
