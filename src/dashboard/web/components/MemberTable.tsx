/** The members of an account, with what each of them may and has. */
import type { ComponentChildren } from "preact"
import type { Member } from "../answers.ts"
import { exactTime, fullDay, number } from "../language.ts"
import { teamText } from "../text/team.ts"
import { MemberBudget } from "./MemberBudget.tsx"
import { actionsColumn, right, Table } from "./Table.tsx"

interface MemberTableProperties {
  readonly members: ReadonlyArray<Member>
  readonly name: (member: Member) => ComponentChildren
  /** What may be done with each; it takes room, for which names are cut. */
  readonly actions?: (member: Member) => ComponentChildren
}

export const MemberTable = ({ actions, members, name }: MemberTableProperties) => {
  const words = teamText()
  const head = [words.name, words.role, right(words.keys), right(words.budget), words.since]
  return (
    <Table head={actions ? [...head, actionsColumn()] : head}>
      {members.map((member) => (
        <tr key={member.id}>
          <td class={`lead ${actions ? "@min-[52rem]:w-2/5 @min-[52rem]:max-w-0" : ""}`}>{name(member)}</td>
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
          {actions && <td class="actions right @min-[60rem]:whitespace-nowrap">{actions(member)}</td>}
        </tr>
      ))}
    </Table>
  )
}
