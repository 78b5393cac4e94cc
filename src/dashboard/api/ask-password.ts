/** A session may have been left open or taken: what is final or shows a secret asks for the person's password afresh. */
import { Effect } from "effect"
import type { AccountId } from "../../domain/ids.ts"
import { tooManyTries } from "../ApiProblem.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { waitForPassword } from "../limit-passwords.ts"
import { refuse } from "./refuse.ts"

export const askPassword = Effect.fnUntraced(function* (
  { limits, people }: DashboardContext,
  accountId: AccountId,
  password: string | undefined
) {
  if (password === undefined) return yield* refuse("invalid")
  const wait = waitForPassword(accountId, limits)
  if (wait > 0) return yield* Effect.fail(tooManyTries(wait))
  const isRight = yield* Effect.promise(() => people.isPasswordOf(accountId, password))
  if (!isRight) return yield* refuse("wrong_password")
})
