/** All accounts, those who wait for a new password first. */
import { useState } from "preact/hooks"
import { get } from "../api.ts"
import { Link } from "../components/Button.tsx"
import { SearchField } from "../components/Field.tsx"
import { Card, Empty, Money, Page } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { right, Table } from "../components/Table.tsx"
import { fullDay } from "../language.ts"
import { operatorText } from "../text/operator.ts"
import { usePages } from "../use-pages.ts"
import { AccountBadges } from "./AccountBadges.tsx"
import type { AccountEntry } from "./answers.ts"

export const Accounts = () => {
  const [search, setSearch] = useState("")
  const [waiting, setWaiting] = useState<ReadonlyArray<AccountEntry>>([])
  const list = usePages(
    async (before) => {
      const page = await get("/operator/accounts", { search: search.trim(), before })
      setWaiting(page.reset_requests)
      return { items: page.accounts, next: page.next }
    },
    [search]
  )
  const { accounts: words } = operatorText()
  return (
    <Page title={words.title}>
      {waiting.length > 0 && (
        <Card title={words.resets} flush class="mb-6">
          <AccountTable accounts={waiting} />
        </Card>
      )}
      <div class="mb-4 max-w-md">
        <SearchField label={words.search} value={search} onText={setSearch} />
      </div>
      <div class="card">
        <PagedList of={list} empty={<Empty icon="people" title={words.none} />}>
          {(accounts) => <AccountTable accounts={accounts} />}
        </PagedList>
      </div>
    </Page>
  )
}

const AccountTable = ({ accounts }: { readonly accounts: ReadonlyArray<AccountEntry> }) => {
  const { accounts: words } = operatorText()
  return (
    <Table head={[words.email, words.status, words.created, right(words.keys), right(words.balance)]}>
      {accounts.map((account) => (
        <tr key={account.id}>
          <td class="lead">
            <Link
              to={`/operator/account?id=${account.id}`}
              class="font-medium break-all underline decoration-line-strong underline-offset-4 hover:decoration-ink"
            >
              {account.email}
            </Link>
          </td>
          <td data-label={words.status}>
            <AccountBadges of={account} />
          </td>
          <td data-label={words.created}>{fullDay(account.created_at)}</td>
          <td data-label={words.keys} class="number right">
            {account.active_keys}
          </td>
          <td data-label={words.balance} class="right">
            <Money vnd={account.balance_vnd} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
