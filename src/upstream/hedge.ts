/**
 * A second try beside the first, where that has not begun to answer for long: the answer that comes first and is worth giving is
 * given, and the other call is broken off. What its provider bills for it is the operator's: the caller has one answer.
 */
import { Effect, Exit, Fiber, Option } from "effect"
import { steadyMs } from "../telemetry/steady-clock.ts"
import { type Attempted, isPassedOver, type UpstreamAnswer, type UpstreamFailure } from "./try-routes.ts"

type Try = Fiber.Fiber<UpstreamAnswer, UpstreamFailure>

/** `second` where there is a route for it by then. */
export const hedged = (first: Attempted, afterMs: number, second: () => Attempted | undefined): Attempted =>
  Effect.suspend(() => {
    const underWay = new Set<Try>()
    const begin = (attempted: Attempted) =>
      Effect.tap(Effect.forkChild(attempted), (fiber) => Effect.sync(() => underWay.add(fiber)))
    const give = (fiber: Try): Attempted => {
      underWay.delete(fiber)
      return Effect.tap(Fiber.join(fiber), ({ exchange }) => Effect.sync(() => exchange.resume(steadyMs())))
    }
    const choose = Effect.gen(function* () {
      const one = yield* begin(first)
      const early = yield* Effect.timeoutOption(Fiber.await(one), afterMs)
      const attempted = Option.isSome(early) ? undefined : second()
      if (attempted === undefined) return yield* give(one)
      const other = yield* begin(attempted)
      const [sooner, later] = yield* Effect.raceFirst(
        Effect.as(Fiber.await(one), [one, other] as const),
        Effect.as(Fiber.await(other), [other, one] as const)
      )
      if (isWorthGiving(sooner.pollUnsafe())) return yield* give(sooner)
      return yield* give(isWorthGiving(yield* Fiber.await(later)) ? later : one)
    })
    return Effect.ensuring(
      choose,
      Effect.suspend(() => Effect.forEach(underWay, breakOff, { discard: true }))
    )
  })

const isWorthGiving = (exit: Exit.Exit<UpstreamAnswer, UpstreamFailure> | undefined): boolean => {
  if (exit === undefined || !Exit.isSuccess(exit)) return false
  const { exchange, head } = exit.value
  const isWorth = head.status < 500 && !isPassedOver(head.status)
  // Until it is known whether the other one is better.
  if (!isWorth) exchange.pause()
  return isWorth
}

const breakOff = (fiber: Try) =>
  Effect.andThen(
    Fiber.interrupt(fiber),
    Effect.map(Fiber.await(fiber), (exit) => {
      if (Exit.isSuccess(exit)) exit.value.exchange.abort()
    })
  )
