/**
 * A second try beside the first, where that has not begun to answer for long: the answer that comes first and is worth giving is
 * given, and the other call is broken off. What its provider bills for it is the operator's: the caller has one answer.
 */
import { Effect, Exit, Fiber, Option } from "effect"
import { steadyMs } from "../telemetry/steady-clock.ts"
import { isPassedOver } from "./try-routes.ts"
import type { Attempted, AttemptFault, UpstreamAnswer } from "./UpstreamCall.ts"

export interface Hedge {
  readonly attempted: Attempted
  /** It has failed, and the answer of the other one is given. */
  readonly passOver: () => void
}

interface Try extends Pick<Hedge, "passOver"> {
  readonly fiber: Fiber.Fiber<UpstreamAnswer, AttemptFault>
}

/** `second` where there is a route for it by then. */
export const hedged = (first: Hedge, afterMs: number, second: () => Hedge | undefined): Attempted =>
  Effect.suspend(() => {
    const underWay = new Set<Try>()
    const begin = ({ attempted, passOver }: Hedge) =>
      Effect.map(Effect.forkChild(attempted), (fiber): Try => {
        const begun = { fiber, passOver }
        underWay.add(begun)
        return begun
      })
    const give = (chosen: Try, other?: Try): Attempted => {
      underWay.delete(chosen)
      const exit = other?.fiber.pollUnsafe()
      if (exit !== undefined && !isWorthGiving(exit)) other?.passOver()
      return Effect.tap(Fiber.join(chosen.fiber), ({ exchange }) =>
        Effect.sync(() => exchange.resume(steadyMs()))
      )
    }
    const choose = Effect.gen(function* () {
      const one = yield* begin(first)
      const early = yield* Effect.timeoutOption(Fiber.await(one.fiber), afterMs)
      const beside = Option.isSome(early) ? undefined : second()
      if (beside === undefined) return yield* give(one)
      const other = yield* begin(beside)
      const [sooner, later] = yield* Effect.raceFirst(
        Effect.as(Fiber.await(one.fiber), [one, other] as const),
        Effect.as(Fiber.await(other.fiber), [other, one] as const)
      )
      if (isWorthGiving(sooner.fiber.pollUnsafe())) return yield* give(sooner, later)
      layAside(sooner.fiber.pollUnsafe())
      if (isWorthGiving(yield* Fiber.await(later.fiber))) return yield* give(later, sooner)
      return yield* give(one, other)
    })
    return Effect.ensuring(
      choose,
      Effect.suspend(() => Effect.forEach(underWay, breakOff, { discard: true }))
    )
  })

type Ended = Exit.Exit<UpstreamAnswer, AttemptFault> | undefined

const isWorthGiving = (exit: Ended): boolean =>
  exit !== undefined &&
  Exit.isSuccess(exit) &&
  exit.value.head.status < 500 &&
  !isPassedOver(exit.value.head.status)

/** Until it is known whether the other one is better. */
const layAside = (exit: Ended): void => {
  if (exit !== undefined && Exit.isSuccess(exit)) exit.value.exchange.pause()
}

const breakOff = ({ fiber }: Try) =>
  Effect.andThen(
    Fiber.interrupt(fiber),
    Effect.map(Fiber.await(fiber), (exit) => {
      if (Exit.isSuccess(exit)) exit.value.exchange.abort()
    })
  )
