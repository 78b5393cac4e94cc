/** The account's keys: create, show again, change, revoke. */
import { useState } from "preact/hooks"
import { get } from "../api.ts"
import type { Key, Spending } from "../answers.ts"
import { Button } from "../components/Button.tsx"
import { Card, Empty, Money, Page, Show } from "../components/Layout.tsx"
import { SpentOf } from "../components/SpentOf.tsx"
import { actionsColumn, right, Table } from "../components/Table.tsx"
import { ago, exactTime, fullDay, number, text } from "../language.ts"
import { session } from "../session.ts"
import { keysText } from "../text/keys.ts"
import { useLoad, useReturn } from "../use-load.ts"
import { useQuery } from "../use-query.ts"
import { EditKey, RotateKey } from "./edit-key.tsx"
import { CreateKey, RevealKey, RevokeKey } from "./key-dialogs.tsx"

type Open =
  | { readonly kind: "create" }
  | { readonly kind: "reveal" | "edit" | "rotate" | "revoke"; readonly key: Key }

export const Keys = () => {
  const list = useLoad(() => get("/keys"), [])
  useReturn(list.reload)
  // Whoever comes to make a first one is led here by a link that says so.
  const [query, change] = useQuery({ new: "" })
  const [open, setOpen] = useState<Open | undefined>(query.new === "" ? undefined : { kind: "create" })
  const words = keysText()
  const active = list.data?.keys.filter((key) => key.status === "active") ?? []
  const isFull = list.data !== undefined && list.data.active >= list.data.active_max
  /** As the list has it now, which may come in while a dialog is open. */
  const current = (key: Key) => list.data?.keys.find(({ id }) => id === key.id) ?? key
  const close = () => {
    setOpen(undefined)
    change({ new: "" })
    list.reload()
  }
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={
        <Button look="primary" icon="plus" disabled={isFull} onClick={() => setOpen({ kind: "create" })}>
          {words.create}
        </Button>
      }
    >
      <div class="card">
        <Show of={list}>
          {(data) => (
            <>
              <Limit active={data.active} max={data.active_max} />
              {data.own_budget && <OwnBudget of={data.own_budget} />}
              {active.length === 0 ? (
                <Empty icon="key" title={words.empty} hint={words.emptyHint} />
              ) : (
                <KeyTable keys={active} onOpen={setOpen} />
              )}
            </>
          )}
        </Show>
      </div>
      {list.data && <Revoked keys={list.data.keys.filter((key) => key.status === "revoked")} />}
      {open?.kind === "create" && <CreateKey onClose={close} />}
      {open?.kind === "reveal" && <RevealKey of={open.key} onClose={() => setOpen(undefined)} />}
      {open?.kind === "edit" && (
        <EditKey
          of={current(open.key)}
          onClose={close}
          onRotate={() => setOpen({ kind: "rotate", key: open.key })}
        />
      )}
      {open?.kind === "rotate" && <RotateKey of={current(open.key)} onClose={close} />}
      {open?.kind === "revoke" && <RevokeKey of={current(open.key)} onClose={close} />}
    </Page>
  )
}

const Limit = ({ active, max }: { readonly active: number; readonly max: number }) => {
  const words = keysText()
  return (
    <div class="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3.5">
      <span class="flex gap-1" aria-hidden="true">
        {Array.from({ length: max }, (_, index) => (
          <span
            key={index}
            class={`h-1.5 w-3.5 rounded-full forced-color-adjust-none ${index < active ? "bg-accent" : "bg-line"}`}
          />
        ))}
      </span>
      <span class="number text-sm text-soft">{words.used(active, max)}</span>
      {active >= max && <span class="text-sm text-warn">{words.full}</span>}
    </div>
  )
}

/** What all keys that one made oneself may spend together. */
const OwnBudget = ({ of }: { readonly of: Spending }) => (
  <div class="flex flex-wrap items-baseline gap-x-3 border-b border-line px-5 py-3 text-sm">
    <span class="text-soft">{keysText().ownBudget}</span>
    <SpentOf spent={of.spent_vnd} budget={of.budget_vnd} period={of.budget_period} />
    {of.resets_at !== null && (
      <span class="text-xs text-faint">{keysText().resets(fullDay(of.resets_at))}</span>
    )}
  </div>
)

const KeyTable = ({ keys, onOpen }: { keys: ReadonlyArray<Key>; onOpen: (open: Open) => void }) => {
  const { common } = text()
  const words = keysText()
  return (
    <Table
      head={[
        words.columnKey,
        words.columnCreated,
        words.columnUsed,
        right(words.columnLimit),
        right(words.columnSpent),
        actionsColumn()
      ]}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <td class="lead @min-[52rem]:w-full @min-[52rem]:max-w-0">
            <KeyName of={key} />
          </td>
          <td data-label={words.columnCreated} title={exactTime(key.created_at)}>
            {fullDay(key.created_at)}
          </td>
          <td data-label={words.columnUsed} class="whitespace-nowrap">
            {key.last_used_at === null ? common.never : ago(key.last_used_at)}
          </td>
          <td data-label={words.columnLimit} class="number right">
            {key.rate_limit_per_minute === 0
              ? words.unlimited
              : words.perMinute(number(key.rate_limit_per_minute))}
          </td>
          <td data-label={words.columnSpent} class="right">
            <Money vnd={key.spent_vnd} />
            <Budget of={key} />
          </td>
          <td class="actions right @min-[56rem]:whitespace-nowrap">
            <Button look="quiet" small icon="eye" onClick={() => onOpen({ kind: "reveal", key })}>
              {words.reveal}
            </Button>
            <Button look="quiet" small onClick={() => onOpen({ kind: "edit", key })}>
              {words.edit}
            </Button>
            <Button look="danger" small onClick={() => onOpen({ kind: "revoke", key })}>
              {words.revoke}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** What of its budget is spent. */
const Budget = ({ of }: { readonly of: Key }) => {
  if (of.budget_vnd === null || of.budget_period === null) return null
  return <SpentOf spent={of.budget_spent_vnd ?? "0"} budget={of.budget_vnd} period={of.budget_period} />
}

const Standing = ({ of }: { readonly of: Key }) => {
  const words = keysText()
  if (of.paused) return <span class="badge badge-warn ml-2">{words.paused}</span>
  return of.expires_at !== null && of.expires_at <= Date.now() ? (
    <span class="badge badge-warn ml-2">{words.expired}</span>
  ) : null
}

/** Who made it, where that is another. */
const Maker = ({ of }: { readonly of: Key }) =>
  of.made_by === null || of.made_by.id === session.value?.person?.account_id ? null : (
    <span class="block truncate text-xs text-faint">{keysText().madeBy(of.made_by.email)}</span>
  )

const KeyName = ({ of }: { readonly of: Key }) => (
  <span class="block min-w-0">
    <span class="block truncate font-medium" title={of.name}>
      {of.name}
    </span>
    <code class="text-xs text-faint">{of.hint}</code>
    <Maker of={of} />
    {of.status === "active" && <Standing of={of} />}
  </span>
)

const Revoked = ({ keys }: { readonly keys: ReadonlyArray<Key> }) => {
  const words = keysText()
  if (keys.length === 0) return null
  return (
    <details class="group mt-6">
      <summary class="w-fit rounded text-sm text-soft hover:text-ink">
        {words.showRevoked(keys.length)}
      </summary>
      <Card flush class="mt-3">
        <ul class="divide-y divide-line">
          {keys.map((key) => (
            <li key={key.id} class="flex items-center justify-between gap-4 px-5 py-3 text-sm">
              <KeyName of={key} />
              <span class="flex items-center gap-4">
                <Money vnd={key.spent_vnd} />
                <span class="badge">{words.revoked}</span>
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </details>
  )
}
