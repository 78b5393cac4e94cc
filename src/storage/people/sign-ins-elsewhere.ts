/** Accounts elsewhere that a person signs in with, as rows of better-auth's credentials. */
import type { AccountId } from "../../domain/ids.ts"
import type { OAuthProvider } from "../../domain/oauth-providers.ts"
import type { Sql } from "../Database.ts"
import { recordAction } from "../record-action.ts"

export interface SignInElsewhere {
  readonly provider: OAuthProvider
  readonly since: Date
}

export const listSignInsElsewhere = (
  sql: Sql,
  personId: AccountId
): Promise<ReadonlyArray<SignInElsewhere>> =>
  sql<Array<SignInElsewhere>>`
    select provider, min(created_at) as since from credentials where person_id = ${personId} and provider <> 'credential'
    group by provider order by provider`

/** The last way in stays: a password, a passkey or another account elsewhere must be left. */
export const removeSignInElsewhere = (
  sql: Sql,
  personId: AccountId,
  provider: OAuthProvider
): Promise<"removed" | "unknown" | "last"> =>
  sql.begin(async (transaction) => {
    // Of two that go at once the second is asked once the first is gone.
    await transaction`select from people where id = ${personId} for no key update`
    const [left] = await transaction<[{ known: boolean; others: boolean }]>`select
      exists (select from credentials where person_id = ${personId} and provider = ${provider}) as known,
      exists (select from credentials where person_id = ${personId} and provider <> ${provider})
        or exists (select from passkeys where person_id = ${personId}) as others`
    if (!left.known) return "unknown"
    if (!left.others) return "last"
    await transaction`delete from credentials where person_id = ${personId} and provider = ${provider}`
    await recordAction(transaction, {
      actor: personId,
      action: "person.sign_in_remove",
      subject: personId,
      detail: { provider }
    })
    return "removed"
  })
