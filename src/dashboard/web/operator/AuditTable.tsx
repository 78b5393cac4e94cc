/** Lines of the audit log as operators read them: with a way to the customer. */
import { ActionTable } from "../components/ActionTable.tsx"
import { Link } from "../components/Button.tsx"
import { auditText } from "../text/audit.ts"
import type { AuditEntry } from "./answers.ts"

export const AuditTable = ({ entries }: { readonly entries: ReadonlyArray<AuditEntry> }) =>
  entries.length === 0 ? (
    <p class="px-5 pb-5 text-sm text-soft">{auditText().none}</p>
  ) : (
    <ActionTable
      actions={entries.map((entry) => ({
        ...entry,
        subject: <Subject of={entry} />,
        subjectId: entry.subject_id
      }))}
    />
  )

const Subject = ({ of }: { readonly of: AuditEntry }) => {
  const settings: Readonly<Record<string, string>> = auditText().settings
  return of.subject_account === null ? (
    <>{(of.action === "setting.write" && settings[of.subject]) || of.subject}</>
  ) : (
    <Link
      to={`/operator/account?id=${of.subject_account}`}
      class="rounded underline decoration-line-strong underline-offset-4 hover:decoration-ink"
    >
      {of.subject}
    </Link>
  )
}
