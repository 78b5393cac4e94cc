/** Who may act for a customer's account: each has an account of their own besides. */
import { useContext } from "preact/hooks"
import { get } from "../api.ts"
import type { Member } from "../answers.ts"
import { Link } from "../components/Button.tsx"
import { Show } from "../components/Layout.tsx"
import { MemberTable } from "../components/MemberTable.tsx"
import { Customer } from "../papers.tsx"
import { teamText } from "../text/team.ts"
import { useLoad } from "../use-load.ts"

export const AccountMembers = () => {
  const id = useContext(Customer) ?? ""
  const list = useLoad(() => get("/operator/accounts/:id/members", {}, { id }), [id])
  return (
    <div class="card">
      <Show of={list}>
        {({ members }) => <MemberTable members={members} name={(member) => <MemberName of={member} />} />}
      </Show>
    </div>
  )
}

const MemberName = ({ of }: { readonly of: Member }) => (
  <span class="block min-w-0">
    <span class="block font-medium wrap-anywhere">
      {of.name}
      {of.is_founder && <span class="badge ml-2">{teamText().founder}</span>}
    </span>
    {of.is_founder ? (
      <span class="block text-[0.8125rem] wrap-anywhere text-faint">{of.email}</span>
    ) : (
      <Link
        to={`/operator/account?${new URLSearchParams({ id: of.id })}`}
        class="text-[0.8125rem] wrap-anywhere underline decoration-line-strong underline-offset-4 hover:decoration-ink"
      >
        {of.email}
      </Link>
    )}
  </span>
)
