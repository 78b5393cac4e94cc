/**
 * A session may have been left open or taken: what is final, shows a secret or moves money asks who it is afresh, for a
 * second factor where there is one, else for the password.
 */
import { Effect } from "effect"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { waitForPassword } from "../limit-passwords.ts"
import { refuse, refuseBad, refuseWait } from "./refuse.ts"

export const askPassword = Effect.fnUntraced(function* (
  { limits, people }: DashboardContext,
  password: string | undefined
) {
  const { confirmation, personId } = yield* Caller
  if (confirmation === "fresh") return
  if (confirmation === "due") return yield* refuse("confirm_needed")
  if (password === undefined) return yield* refuseBad("password", "is missing")
  yield* refuseWait(waitForPassword(personId, limits))
  const isRight = yield* Effect.promise(() => people.isPasswordOf(personId, password))
  if (!isRight) return yield* refuse("wrong_password")
})

/** Before money is moved, prices are set, or a way in or out is opened. Whoever has no second factor need not have one, or would not have come so far. */
export const askSecondFactor = Effect.gen(function* () {
  const { confirmation } = yield* Caller
  if (confirmation === "due") return yield* refuse("confirm_needed")
})
