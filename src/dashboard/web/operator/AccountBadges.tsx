/** What an account is, at a glance. */
import { deskText } from "../text/desk.ts"
import { operatorText } from "../text/operator.ts"
import type { AccountEntry } from "./answers.ts"

export const AccountBadges = ({ of }: { readonly of: AccountEntry }) => {
  const { accounts: words } = operatorText()
  const { closed } = deskText().customer
  return (
    <span class="inline-flex flex-wrap gap-1.5">
      <span class={`badge ${of.status === "active" ? "badge-good" : "badge-bad"}`}>
        {of.is_erased ? words.erased : of.is_closed ? closed : words[of.status]}
      </span>
      {of.role !== null && <span class="badge">{words.roles[of.role]}</span>}
    </span>
  )
}
