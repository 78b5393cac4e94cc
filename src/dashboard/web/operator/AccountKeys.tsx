/** A customer's keys, for an operator to pause and to revoke. */
import { useContext, useState } from "preact/hooks"
import { post } from "../api.ts"
import type { Key } from "../answers.ts"
import { Button } from "../components/Button.tsx"
import { ConfirmEnd } from "../components/ConfirmEnd.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Form } from "../components/Form.tsx"
import { Money, Show } from "../components/Layout.tsx"
import { SpentOf } from "../components/SpentOf.tsx"
import { actionsColumn, right, Table } from "../components/Table.tsx"
import { toast } from "../components/Toasts.tsx"
import { ago, exactTime, fullDay, number, text } from "../language.ts"
import { may } from "../may.ts"
import { Customer, usePapers } from "../papers.tsx"
import { deskText } from "../text/desk.ts"
import { keysText } from "../text/keys.ts"
import { useLoad } from "../use-load.ts"
import { useSubmit } from "../use-submit.ts"

interface Open {
  readonly what: "revoke" | "pause"
  readonly key: Key
}

export const AccountKeys = () => {
  const [open, setOpen] = useState<Open>()
  const id = useContext(Customer) ?? ""
  const papers = usePapers()
  const list = useLoad(papers.keys, [papers])
  const words = keysText()
  const desk = deskText().keys
  const close = () => {
    setOpen(undefined)
    list.reload()
  }
  return (
    <div class="card">
      <Show of={list}>
        {({ keys }) =>
          keys.length === 0 ? (
            <p class="p-5 text-sm text-soft">{words.empty}</p>
          ) : (
            <KeyTable keys={keys} onOpen={setOpen} />
          )
        }
      </Show>
      {open?.what === "revoke" && (
        <ConfirmEnd
          title={words.revokeTitle(open.key.name)}
          hint={desk.revokeHint}
          action={words.revoke}
          done={words.revokedToast}
          end={() => post("/operator/accounts/:id/keys/:key/revoke", {}, { id, key: open.key.id })}
          onClose={close}
        />
      )}
      {open?.what === "pause" && <PauseKey accountId={id} of={open.key} onClose={close} />}
    </div>
  )
}

const KeyTable = ({ keys, onOpen }: { keys: ReadonlyArray<Key>; onOpen: (open: Open) => void }) => {
  const { common } = text()
  const words = keysText()
  const desk = deskText().keys
  return (
    <Table
      head={[
        words.columnKey,
        words.columnCreated,
        words.columnUsed,
        right(words.columnSpent),
        actionsColumn()
      ]}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <td class="lead">
            <span class="block min-w-0">
              <span class="font-medium wrap-anywhere">{key.name}</span> <Standing of={key} />
              <code class="block text-xs text-faint">{key.hint}</code>
              <Settings of={key} />
            </span>
          </td>
          <td data-label={words.columnCreated} title={exactTime(key.created_at)}>
            {fullDay(key.created_at)}
          </td>
          <td data-label={words.columnUsed}>
            {key.last_used_at === null ? common.never : ago(key.last_used_at)}
          </td>
          <td data-label={words.columnSpent} class="right">
            <Money vnd={key.spent_vnd} />
            {key.budget_vnd !== null && key.budget_period !== null && (
              <SpentOf
                spent={key.budget_spent_vnd ?? "0"}
                budget={key.budget_vnd}
                period={key.budget_period}
              />
            )}
          </td>
          <td class="actions right">
            {key.status === "active" && may("help") && (
              <>
                <Button look="quiet" small onClick={() => onOpen({ what: "pause", key })}>
                  {key.paused ? desk.resume : desk.pause}
                  <span class="sr-only">{key.name}</span>
                </Button>
                <Button look="danger" small onClick={() => onOpen({ what: "revoke", key })}>
                  {words.revoke}
                  <span class="sr-only">{key.name}</span>
                </Button>
              </>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

const Standing = ({ of }: { readonly of: Key }) => {
  const words = keysText()
  if (of.status === "revoked") return <span class="badge">{words.revoked}</span>
  if (of.paused) return <span class="badge badge-warn">{words.paused}</span>
  return of.expires_at !== null && of.expires_at <= Date.now() ? (
    <span class="badge badge-warn">{words.expired}</span>
  ) : (
    <span class="badge badge-good">{words.active}</span>
  )
}

/** By what else a call may be refused, and who made the key. */
const Settings = ({ of }: { readonly of: Key }) => {
  const words = keysText()
  const settings: ReadonlyArray<readonly [string, string | undefined]> = [
    [words.limit, of.rate_limit_per_minute === 0 ? undefined : number(of.rate_limit_per_minute)],
    [words.models, of.models?.join(", ")],
    [words.endpoints, of.endpoints?.join(", ")],
    [words.addresses, of.allowed_ips?.join(", ")],
    [words.lastDay, of.expires_at === null ? undefined : exactTime(of.expires_at)]
  ]
  const lines = [
    of.made_by === null ? undefined : words.madeBy(of.made_by.email),
    ...settings.map(([name, value]) => value && `${name}: ${value}`),
    of.former_secret_until === null ? undefined : words.formerUntil(exactTime(of.former_secret_until))
  ]
  return lines.map(
    (line) =>
      line !== undefined && (
        <span key={line} class="block text-xs wrap-anywhere text-faint">
          {line}
        </span>
      )
  )
}

const PauseKey = (properties: {
  readonly accountId: string
  readonly of: Key
  readonly onClose: () => void
}) => {
  const { accountId, of, onClose } = properties
  const { keys: words } = deskText()
  const label = of.paused ? words.resume : words.pause
  const form = useSubmit(true, async () => {
    const place = { id: accountId, key: of.id }
    await post("/operator/accounts/:id/keys/:key/pause", { paused: !of.paused }, place)
    toast(of.paused ? words.resumed : words.paused)
    onClose()
  })
  return (
    <Dialog title={label} onClose={onClose}>
      <Form of={form}>
        <p class="font-medium wrap-anywhere">{of.name}</p>
        <p class="mt-1 text-soft">{of.paused ? words.resumeHint : words.pauseHint}</p>
        <FormActions form={form} action={label} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
