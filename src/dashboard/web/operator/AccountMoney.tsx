/** What came into an account and was corrected, what was noted about it and what was done to it. */
import { LatestOnly } from "../components/LatestOnly.tsx"
import { Card, Money } from "../components/Layout.tsx"
import { dateTime, number } from "../language.ts"
import { may } from "../may.ts"
import { reasonOf } from "../reason-of.ts"
import { operatorText } from "../text/operator.ts"
import { statementText } from "../text/statement.ts"
import { AccountOutlook } from "./AccountOutlook.tsx"
import { AuditTable } from "./AuditTable.tsx"
import { CreditForm } from "./CreditForm.tsx"
import { Notes } from "./Notes.tsx"
import type { AccountView } from "./answers.ts"

interface AccountMoneyProperties {
  readonly data: AccountView
  readonly onChanged: () => void
}

export const AccountMoney = ({ data, onChanged }: AccountMoneyProperties) => {
  const { accounts: words } = operatorText()
  const isForMoney = may("money")
  return (
    <div class="space-y-6">
      <div class={`grid grid-cols-[minmax(0,1fr)] items-start gap-6 ${isForMoney ? "lg:grid-cols-2" : ""}`}>
        {isForMoney && (
          <Card title={words.credit}>
            <CreditForm accountId={data.account.id} onSaved={onChanged} />
          </Card>
        )}
        <Notes accountId={data.account.id} />
      </div>
      {/* It comes later than the form, which may not move away from under a click. */}
      <AccountOutlook accountId={data.account.id} balance={data.account.balance_vnd} />
      <Credits data={data} />
      <Card title={words.history} flush>
        <AuditTable entries={data.audit} />
        {data.has_more_audit && (
          <LatestOnly
            told={words.latestHistory(number(data.audit.length))}
            to={`/operator/audit?${new URLSearchParams({ subject: data.account.email })}`}
            all={words.allHistory}
          />
        )}
      </Card>
    </div>
  )
}

const Credits = ({ data }: { readonly data: AccountView }) => {
  const { accounts: words } = operatorText()
  return (
    <Card title={words.credits} flush>
      {data.credits.length === 0 && <p class="px-5 pb-5 text-sm text-soft">{words.noCredits}</p>}
      <ul class="divide-y divide-line">
        {data.credits.map((row) => (
          <li
            key={row.id}
            class="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3 text-sm sm:flex-nowrap"
          >
            <span class="min-w-0">
              <span class="block font-medium">
                {statementText().kinds[kindOf(row)]}
                <span class="font-normal text-soft"> · {reasonOf(row.reason)}</span>
              </span>
              <span class="block text-xs text-faint">
                {dateTime(row.at)} · {words.by} {row.actor}
              </span>
            </span>
            <Money vnd={row.amount_vnd} class="font-medium" />
          </li>
        ))}
      </ul>
      {data.has_more_credits && (
        <LatestOnly
          told={words.latestCredits(number(data.credits.length))}
          to={`/operator/account?${new URLSearchParams({ id: data.account.id, view: "statement", period: "all" })}`}
          all={words.allCredits}
        />
      )}
    </Card>
  )
}

/** As the customer's statement calls it. */
const kindOf = ({ amount_vnd: amount, source }: AccountView["credits"][number]) =>
  amount.startsWith("-") ? "correction" : source
