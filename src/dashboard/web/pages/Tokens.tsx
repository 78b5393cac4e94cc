/** Management tokens: create, see when they were used, revoke. */
import { useState } from "preact/hooks"
import { get } from "../api.ts"
import type { Token } from "../answers.ts"
import { Button } from "../components/Button.tsx"
import { Empty, Page, Show } from "../components/Layout.tsx"
import { actionsColumn, Table } from "../components/Table.tsx"
import { ago, exactTime, fullDay, text } from "../language.ts"
import { tokensText } from "../text/tokens.ts"
import { useLoad, useReturn } from "../use-load.ts"
import { CreateToken, RevokeToken } from "./token-dialogs.tsx"

type Open = { readonly kind: "create" } | { readonly kind: "revoke"; readonly token: Token }

export const Tokens = () => {
  const list = useLoad(() => get("/tokens"), [])
  useReturn(list.reload)
  const [open, setOpen] = useState<Open>()
  const words = tokensText()
  const close = () => {
    setOpen(undefined)
    list.reload()
  }
  return (
    <Page
      title={words.title}
      intro={
        <>
          {words.intro}{" "}
          <a class="underline underline-offset-4 hover:text-ink" href="/api/openapi.json">
            {words.document}
          </a>
        </>
      }
      actions={
        <Button look="primary" icon="plus" onClick={() => setOpen({ kind: "create" })}>
          {words.create}
        </Button>
      }
    >
      <div class="card">
        <Show of={list}>
          {({ tokens }) => <Lists tokens={tokens} onRevoke={(token) => setOpen({ kind: "revoke", token })} />}
        </Show>
      </div>
      {open?.kind === "create" && <CreateToken onClose={close} />}
      {open?.kind === "revoke" && <RevokeToken of={open.token} onClose={close} />}
    </Page>
  )
}

interface ListsProperties {
  readonly tokens: ReadonlyArray<Token>
  readonly onRevoke: (token: Token) => void
}

const Lists = ({ tokens, onRevoke }: ListsProperties) => {
  const words = tokensText()
  const active = tokens.filter(({ status }) => status === "active")
  const former = tokens.filter(({ status }) => status !== "active")
  return (
    <>
      {active.length === 0 ? (
        <Empty icon="key" title={words.empty} hint={words.emptyHint} />
      ) : (
        <TokenTable tokens={active} onRevoke={onRevoke} />
      )}
      {former.length > 0 && (
        <details class="border-t border-line">
          <summary class="px-5 py-3.5 text-sm text-soft hover:text-ink">
            {words.former(former.length)}
          </summary>
          <ul class="divide-y divide-line border-t border-line">
            {former.map((token) => (
              <li key={token.id} class="flex items-center justify-between gap-4 px-5 py-3 text-sm">
                <span class="min-w-0">
                  <span class="block truncate font-medium">{token.name}</span>
                  <code class="text-[0.8125rem] text-faint">{token.hint}</code>
                </span>
                <span class="badge">{token.status === "revoked" ? words.revoked : words.expired}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

const TokenTable = ({ tokens, onRevoke }: ListsProperties) => {
  const { common } = text()
  const words = tokensText()
  return (
    <Table
      head={[words.columnToken, words.columnScopes, words.columnUsed, words.columnEnds, actionsColumn()]}
    >
      {tokens.map((token) => (
        <tr key={token.id}>
          <td class="lead @min-[52rem]:w-1/3 @min-[52rem]:max-w-0">
            <span class="block truncate font-medium">{token.name}</span>
            <code class="text-[0.8125rem] text-faint">{token.hint}</code>
          </td>
          <td data-label={words.columnScopes} class="wrap-anywhere">
            {token.scopes.join(", ")}
          </td>
          <td data-label={words.columnUsed} class="whitespace-nowrap">
            {token.last_used_at === null ? common.never : ago(token.last_used_at)}
          </td>
          <td data-label={words.columnEnds} title={exactTime(token.expires_at)}>
            {fullDay(token.expires_at)}
          </td>
          <td class="actions right">
            <Button look="danger" small onClick={() => onRevoke(token)}>
              {words.revoke}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  )
}
