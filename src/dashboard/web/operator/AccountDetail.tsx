/** A customer's page: their money, usage, statement, keys and members, what they were sent, and what an operator may do for them. */
import type { ComponentType } from "preact"
import { get } from "../api.ts"
import { CopyButton, Link } from "../components/Button.tsx"
import { Money, Page, Show, Stat } from "../components/Layout.tsx"
import { number, text } from "../language.ts"
import { lazy } from "../lazy.tsx"
import { Customer } from "../papers.tsx"
import { accountText } from "../text/account.ts"
import { deskText } from "../text/desk.ts"
import { operatorText } from "../text/operator.ts"
import { teamText } from "../text/team.ts"
import { useLoad } from "../use-load.ts"
import { AccountActions } from "./AccountActions.tsx"
import { AccountBadges } from "./AccountBadges.tsx"
import { AccountMoney } from "./AccountMoney.tsx"
import type { AccountView } from "./answers.ts"

const views = ["overview", "usage", "statement", "keys", "members", "mail"] as const
type View = (typeof views)[number]

const pages: Readonly<Record<Exclude<View, "overview">, ComponentType>> = {
  usage: lazy(() => import("./AccountUsage.tsx"), "AccountUsage"),
  statement: lazy(() => import("../pages/Statement.tsx"), "Statement"),
  keys: lazy(() => import("./AccountKeys.tsx"), "AccountKeys"),
  members: lazy(() => import("./AccountMembers.tsx"), "AccountMembers"),
  mail: lazy(() => import("./AccountMail.tsx"), "AccountMail")
}

export const AccountDetail = () => {
  const query = new URLSearchParams(location.search)
  const id = query.get("id") ?? ""
  const view = views.find((one) => one === query.get("view")) ?? "overview"
  const account = useLoad(() => get("/operator/accounts/:id", {}, { id }), [id])
  const { accounts: words } = operatorText()
  const Shown = view === "overview" ? undefined : pages[view]
  return (
    <Page
      title={account.data?.account.email ?? words.title}
      intro={
        <Link to="/operator/accounts" class="text-sm underline-offset-4 hover:underline">
          ← {words.back}
        </Link>
      }
      actions={account.data && <AccountActions account={account.data.account} onChanged={account.reload} />}
    >
      <Show of={account} rows={6}>
        {(data) => (
          <Customer.Provider value={id}>
            <Summary data={data} />
            <Views id={id} current={view} />
            {Shown === undefined ? <AccountMoney data={data} onChanged={account.reload} /> : <Shown />}
          </Customer.Provider>
        )}
      </Show>
    </Page>
  )
}

const Views = ({ current, id }: { readonly current: View; readonly id: string }) => {
  const { customer: words } = deskText()
  return (
    <nav aria-label={words.views} class="my-6 flex max-w-full gap-1 overflow-x-auto border-b border-line">
      {views.map((view) => (
        <Link
          key={view}
          to={`/operator/account?${new URLSearchParams({ id, ...(view !== "overview" && { view }) })}`}
          current={view === current}
          class="border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
        >
          {words.viewNames[view]}
        </Link>
      ))}
    </nav>
  )
}

const Summary = ({ data }: { readonly data: AccountView }) => {
  const { accounts: words } = operatorText()
  const { company, tax_code: taxCode } = data.billing
  return (
    <div class="space-y-4">
      <div class="flex flex-wrap items-center gap-3">
        <AccountBadges of={data.account} />
        <span class="flex items-center gap-1 text-sm text-faint">
          <code>{data.account.id}</code>
          <CopyButton
            value={data.account.id}
            label={text().common.copyThis(accountText().id.toLowerCase())}
          />
        </span>
        {company !== "" && (
          <span class="text-sm wrap-anywhere text-soft">
            {[company, taxCode].filter((part) => part !== "").join(" · ")}
          </span>
        )}
      </div>
      {data.member_of.length > 0 && <MemberOf accounts={data.member_of} />}
      <div class="grid gap-4 sm:grid-cols-2">
        <Stat label={words.balance} value={<Money vnd={data.account.balance_vnd} />} />
        <Stat
          label={words.monthSpent}
          value={<Money vnd={data.month.spent_vnd} />}
          note={text().overview.calls(number(data.month.calls))}
        />
      </div>
    </div>
  )
}

/** Whose keys and money they use besides: whoever writes to us by their own address may mean those. */
const MemberOf = ({ accounts }: { readonly accounts: AccountView["member_of"] }) => (
  <p class="text-sm wrap-anywhere text-soft">
    {deskText().customer.memberOf}{" "}
    {accounts.map(({ email, id, role }, index) => (
      <span key={id}>
        {index > 0 && ", "}
        <Link
          to={`/operator/account?${new URLSearchParams({ id })}`}
          class="underline decoration-line-strong underline-offset-4 hover:decoration-ink"
        >
          {email}
        </Link>{" "}
        ({teamText().roles[role]})
      </span>
    ))}
  </p>
)
