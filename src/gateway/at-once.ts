/**
 * `Effect.flatMap` and `Effect.mapError` for what has mostly happened already: the parsing of a small body, a key that
 * is known. What has ended is carried on with at once, without an operator for the fiber to interpret.
 */
import { Effect, Exit } from "effect"

export const flatMapAtOnce = <A, E, B, E2>(
  effect: Effect.Effect<A, E>,
  next: (value: A) => Effect.Effect<B, E2>
): Effect.Effect<B, E | E2> => {
  const ended = exitOf(effect)
  if (ended === undefined) return Effect.flatMap(effect, next)
  return Exit.isSuccess(ended) ? next(ended.value) : Exit.failCause(ended.cause)
}

export const mapErrorAtOnce = <A, E, E2>(
  effect: Effect.Effect<A, E>,
  change: (error: E) => E2
): Effect.Effect<A, E2> => {
  const ended = exitOf(effect)
  return ended !== undefined && Exit.isSuccess(ended)
    ? Exit.succeed(ended.value)
    : Effect.mapError(effect, change)
}

const exitOf = <A, E>(effect: Effect.Effect<A, E>): Exit.Exit<A, E> | undefined =>
  Exit.isExit(effect) ? (effect as Exit.Exit<A, E>) : undefined
