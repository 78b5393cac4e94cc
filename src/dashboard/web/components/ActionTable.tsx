/** What was done, when, by whom and to whom: lines of the audit log, in words. */
import type { ComponentChildren } from "preact"
import type { Activity } from "../answers.ts"
import { dateTime, exactTime } from "../language.ts"
import { auditText } from "../text/audit.ts"
import { ActionDetails } from "./ActionDetails.tsx"
import { Table } from "./Table.tsx"

export interface Action {
  readonly id: string
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly subject: ComponentChildren
  /** Names the subject where its name alone does not. */
  readonly subjectId?: string
  readonly detail: Activity["detail"]
  /** The name of the account that the detail tells of, where there is one. */
  readonly account?: string | null
}

export const ActionTable = ({ actions }: { readonly actions: ReadonlyArray<Action> }) => {
  const words = auditText()
  const inWords: Readonly<Record<string, string>> = words.actions
  const actors: Readonly<Record<string, string>> = words.actors
  return (
    <Table head={[words.time, words.actor, words.action, words.subject, words.detail]}>
      {actions.map(({ account = null, action, actor, at, detail, id, subject, subjectId }) => (
        <tr key={id}>
          <td data-label={words.time} class="number whitespace-nowrap text-soft" title={exactTime(at)}>
            {dateTime(at)}
          </td>
          <td
            data-label={words.actor}
            class="break-all @min-[52rem]:max-w-52 @min-[52rem]:truncate"
            title={actor}
          >
            {actors[actor] ?? actor}
          </td>
          <td data-label={words.action} class="whitespace-normal" title={action}>
            {inWords[action] ?? action}
          </td>
          <td
            data-label={words.subject}
            class="wrap-anywhere @min-[52rem]:max-w-56 @min-[52rem]:truncate"
            title={subjectId}
          >
            {subject}
          </td>
          <td data-label={words.detail} class="text-xs wrap-anywhere text-soft @min-[52rem]:max-w-xs">
            <ActionDetails action={action} detail={detail} account={account} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
