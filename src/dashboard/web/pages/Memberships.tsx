/** The accounts of others that one acts for, and leaving them. */
import { useState } from "preact/hooks"
import { post } from "../api.ts"
import type { SignedInPerson } from "../answers.ts"
import { Button } from "../components/Button.tsx"
import { ConfirmEnd } from "../components/ConfirmEnd.tsx"
import { Card } from "../components/Layout.tsx"
import { loadSession, session } from "../session.ts"
import { teamText } from "../text/team.ts"

type Membership = SignedInPerson["accounts"][number]

export const Memberships = () => {
  const [leaving, setLeaving] = useState<Membership>()
  const person = session.value?.person
  const words = teamText()
  const others = person?.accounts.filter(({ account_id: id }) => id !== person.account_id) ?? []
  return (
    <Card title={words.accounts} flush>
      <ul class="divide-y divide-line border-t border-line">
        {others.map((account) => (
          <li key={account.account_id} class="flex items-center justify-between gap-4 px-5 py-3.5">
            <div class="min-w-0">
              <p class="truncate text-sm font-medium">{account.email}</p>
              <p class="text-[0.8125rem] text-faint">{words.roles[account.role]}</p>
            </div>
            <Button look="danger" small onClick={() => setLeaving(account)}>
              {words.leave}
            </Button>
          </li>
        ))}
      </ul>
      {leaving && (
        <ConfirmEnd
          title={words.leaveTitle(leaving.email)}
          hint={words.leaveHint}
          action={words.leave}
          done={words.left}
          gone={words.endedForYou}
          end={() => post("/memberships/:id/leave", {}, { id: leaving.account_id }).finally(loadSession)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Card>
  )
}
