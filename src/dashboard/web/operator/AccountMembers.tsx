/** Who may act for a customer's account: each has an account of their own besides. */
import { useContext } from "preact/hooks"
import { get } from "../api.ts"
import { Link } from "../components/Button.tsx"
import { Show } from "../components/Layout.tsx"
import { MemberBudget } from "../components/MemberBudget.tsx"
import { exactTime, fullDay, number } from "../language.ts"
import { Customer } from "../papers.tsx"
import { teamText } from "../text/team.ts"
import { useLoad } from "../use-load.ts"
import type { CustomerMember } from "./answers.ts"

export const AccountMembers = () => {
  const id = useContext(Customer) ?? ""
  const list = useLoad(() => get("/operator/accounts/:id/members", {}, { id }), [id])
  return (
    <div class="card">
      <Show of={list}>{({ members }) => <MemberTable members={members} />}</Show>
    </div>
  )
}

const MemberTable = ({ members }: { readonly members: ReadonlyArray<CustomerMember> }) => {
  const words = teamText()
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{words.name}</th>
          <th scope="col">{words.role}</th>
          <th scope="col" class="right">
            {words.keys}
          </th>
          <th scope="col" class="right">
            {words.budget}
          </th>
          <th scope="col">{words.since}</th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.id}>
            <td class="lead">
              <MemberName of={member} />
            </td>
            <td data-label={words.role}>{words.roles[member.role]}</td>
            <td data-label={words.keys} class="number right">
              {number(member.active_keys)}
            </td>
            <td data-label={words.budget} class="right">
              <MemberBudget of={member.budget} />
            </td>
            <td data-label={words.since} title={exactTime(member.since)}>
              {fullDay(member.since)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const MemberName = ({ of }: { readonly of: CustomerMember }) => (
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
