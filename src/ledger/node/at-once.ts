/**
 * Answers that are mostly at hand: an `Exit` is gone on with at once, without an operator for a fiber to interpret, as in
 * gateway/at-once.ts. What an actor can not say, the ledger can not either.
 */
import { Effect, Exit } from "effect"
import type { Unavailable } from "../../actors/Actor.ts"
import type { KeyRules } from "../../domain/key-settings.ts"
import type { Admission } from "../bridge/protocol.ts"

export const notNow = { _tag: "Unavailable" } as const

export const flatMapAtOnce = <A>(
  asked: Effect.Effect<A, Unavailable>,
  next: (value: A) => Effect.Effect<Admission>
): Effect.Effect<Admission> => {
  if (!Exit.isExit(asked)) return orNotNow(Effect.flatMap(asked, next))
  const exit = asked as Exit.Exit<A, Unavailable>
  return Exit.isSuccess(exit) ? next(exit.value) : Exit.succeed(notNow)
}

export const orNotNow = <A>(answer: Effect.Effect<A, Unavailable>): Effect.Effect<A | typeof notNow> =>
  Effect.orElseSucceed(answer, () => notNow)

/** Tells along with an admission what the call must keep to. */
export const withRules = (
  rules: KeyRules | undefined,
  asked: Effect.Effect<Admission>
): Effect.Effect<Admission> =>
  rules === undefined
    ? asked
    : Effect.map(asked, (admission) => (admission._tag === "Admitted" ? { ...admission, rules } : admission))
