/** What waits comes and goes, also at the word of others and while all is cut: nobody who has left is asked or cut, and all others are. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate as nextTurn } from "node:timers/promises"
import { Sweeper, type Watched } from "../../src/upstream/Sweeper.ts"
import { Random, seeds } from "../Random.ts"

class Waiting implements Watched {
  isWatched = true
  ticks = 0
  cuts = 0
  /** It was asked or cut though it had left. */
  isDisturbed = false
  leave: () => void = () => {}
  readonly #isFaulty: boolean
  readonly #react: () => void

  /** `react`: to whatever it hears. */
  constructor(isFaulty: boolean, react: () => void) {
    this.#isFaulty = isFaulty
    this.#react = react
  }

  tick(): void {
    this.isDisturbed ||= !this.isWatched
    this.ticks++
    this.#react()
    if (this.#isFaulty) throw new Error("a fault of ours")
  }

  cut(): void {
    this.isDisturbed ||= !this.isWatched
    this.cuts++
    this.leave()
    this.#react()
    if (this.#isFaulty) throw new Error("a fault of ours")
  }
}

class Run {
  readonly #random: Random
  readonly #sweeper: Sweeper["Service"]
  readonly #all: Array<Waiting> = []
  isCut = false

  constructor(random: Random, sweeper: Sweeper["Service"]) {
    this.#random = random
    this.#sweeper = sweeper
  }

  get #watched(): ReadonlyArray<Waiting> {
    return this.#all.filter(({ isWatched }) => isWatched)
  }

  #watch(): void {
    const waiting = new Waiting(this.#random.chance(0.2), () => this.#react())
    const leave = this.#sweeper.watch(waiting)
    waiting.leave = () => {
      waiting.isWatched = false
      leave()
    }
    this.#all.push(waiting)
  }

  /** Also once more. */
  #leave(): void {
    if (this.#all.length > 0) this.#random.pick(this.#all).leave()
  }

  #react(): void {
    const act = this.#random.below(10)
    if (act < 2) this.#leave()
    else if (act < 4) this.#watch()
  }

  readonly step = Effect.suspend(() => {
    const ticks = new Map(this.#watched.map((waiting) => [waiting, waiting.ticks]))
    const act = this.#random.below(10)
    if (act < 5) this.#watch()
    else if (act < 7) this.#leave()
    else if (act < 9)
      return Effect.andThen(
        TestClock.adjust("1 second"),
        Effect.sync(() => this.#ticked(ticks))
      )
    else if (this.#random.chance(0.2)) this.#cut()
    return this.isCut ? Effect.promise(() => nextTurn()) : Effect.void
  })

  #ticked(before: ReadonlyMap<Waiting, number>): void {
    for (const waiting of this.#watched)
      assert.strictEqual(waiting.ticks - (before.get(waiting) ?? waiting.ticks - 1), 1, "one is not asked")
  }

  #cut(): void {
    this.isCut = true
    this.#sweeper.cutAll()
  }

  check(): void {
    assert.strictEqual(this.#sweeper.size(), this.#watched.length)
    if (this.isCut) assert.isEmpty(this.#watched, "one that waits is not cut")
    assert.isFalse(
      this.#all.some(({ isDisturbed }) => isDisturbed),
      "one that has left is asked or cut"
    )
    for (const { cuts } of this.#all) assert.isAtMost(cuts, this.isCut ? 1 : 0)
  }
}

it.effect("all who wait are asked, and cut once, whoever fails, comes or leaves meanwhile", () =>
  Effect.forEach(seeds(60), (seed) =>
    Effect.gen(function* () {
      const run = new Run(new Random(seed), yield* Sweeper)
      for (let step = 0; step < 30; step++) {
        yield* run.step
        run.check()
      }
    }).pipe(
      Effect.provide(Layer.fresh(Sweeper.layer)),
      Effect.catchDefect((cause) => Effect.die(new Error(`run ${seed}`, { cause })))
    )
  )
)
