/** Chooses the account that the person acts for, where they are a member of others. */
import { session, switchAccount } from "../session.ts"
import { tellFailure } from "../tell-failure.ts"
import { teamText } from "../text/team.ts"
import { Select } from "./Field.tsx"

export const AccountChoice = () => {
  const person = session.value?.person
  const words = teamText()
  if (person === undefined) return null
  return (
    <div class="mb-4 px-1">
      <Select
        label={words.actFor}
        value={person.acting.account_id}
        options={person.accounts.map(
          ({ account_id: id, email }) => [id, id === person.account_id ? words.ownAccount : email] as const
        )}
        onText={(id) => void switchAccount(id).catch(tellFailure)}
      />
      <p class="mt-1.5 px-2 text-[0.8125rem] text-faint">{words.youAre(words.roles[person.acting.role])}</p>
    </div>
  )
}
