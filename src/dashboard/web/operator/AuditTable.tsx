/** Lines of the audit log, in words. */
import { ActionDetails } from "../components/ActionDetails.tsx"
import { Link } from "../components/Button.tsx"
import { dateTime, exactTime } from "../language.ts"
import { operatorText } from "../text/operator.ts"
import type { AuditEntry } from "./answers.ts"

export const AuditTable = ({ entries }: { readonly entries: ReadonlyArray<AuditEntry> }) => {
  const { audit: words } = operatorText()
  const actions: Readonly<Record<string, string>> = words.actions
  if (entries.length === 0) return <p class="px-5 pb-5 text-sm text-soft">{words.none}</p>
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{words.time}</th>
          <th scope="col">{words.actor}</th>
          <th scope="col">{words.action}</th>
          <th scope="col">{words.subject}</th>
          <th scope="col">{words.detail}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td
              data-label={words.time}
              class="number whitespace-nowrap text-soft"
              title={exactTime(entry.at)}
            >
              {dateTime(entry.at)}
            </td>
            <td
              data-label={words.actor}
              class="break-all @min-[52rem]:max-w-52 @min-[52rem]:truncate"
              title={entry.actor}
            >
              {entry.actor}
            </td>
            <td data-label={words.action} class="whitespace-normal" title={entry.action}>
              {actions[entry.action] ?? entry.action}
            </td>
            <td
              data-label={words.subject}
              class="wrap-anywhere @min-[52rem]:max-w-56 @min-[52rem]:truncate"
              title={entry.subject_id}
            >
              <Subject of={entry} />
            </td>
            <td data-label={words.detail} class="text-xs wrap-anywhere text-soft @min-[52rem]:max-w-xs">
              <ActionDetails action={entry.action} detail={entry.detail} account={entry.account} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Subject = ({ of }: { readonly of: AuditEntry }) =>
  of.subject_account === null ? (
    <>{of.subject}</>
  ) : (
    <Link
      to={`/operator/account?id=${of.subject_account}`}
      class="rounded underline decoration-line-strong underline-offset-4 hover:decoration-ink"
    >
      {of.subject}
    </Link>
  )
