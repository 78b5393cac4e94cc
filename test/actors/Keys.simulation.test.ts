/** Keys change while they are used, with this secret and that: each call is answered as the key is now, and takes from its limit only where it passes. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { KeyCommand } from "../../src/actors/Keys.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { Random, seeds } from "../Random.ts"
import { accountId, setUp } from "./set-up-keys.ts"

type Asked = Required<Pick<KeyCommand, "purpose" | "accountId" | "secret">>

class Run {
  readonly #random: Random
  /** Some come while the limit is asked. */
  readonly #keys = setUp(100, Effect.yieldNow)
  /** The limit has said that nothing is left, and the key has not changed since. */
  #isLimited = false

  constructor(random: Random) {
    this.#random = random
  }

  #change(): void {
    const { change, stored } = this.#keys
    const random = this.#random
    const { secret } = stored.key!
    const changes = [
      () => change({ rateLimitPerMinute: random.pick([0, 5]) }),
      () => change({ paused: random.chance(0.3) }),
      () => change({ active: random.chance(0.8) }),
      () => change({ secret: secret + 1, formerSecretUntilMs: stored.dateMs + random.below(3_000) }),
      () => change({ expiresAtMs: random.chance(0.5) ? undefined : stored.dateMs + random.below(5_000) })
    ]
    random.pick(changes)()
    this.#isLimited = false
  }

  #chooseAsk(): Asked {
    const random = this.#random
    const { secret } = this.#keys.stored.key!
    return {
      purpose: random.pick(["call", "call", "call", "start", "status"]),
      accountId: random.chance(0.9) ? accountId : ("acc_2" as AccountId),
      secret: random.chance(0.6) ? secret : secret - random.below(3)
    }
  }

  /** `undefined`: it passes, as far as its limit goes. */
  #refusalOf(asked: Asked): string | undefined {
    const { dateMs, key } = this.#keys.stored
    const { active, expiresAtMs, formerSecretUntilMs = 0, paused, secret } = key!
    const isFormer = asked.secret === secret - 1 && dateMs < formerSecretUntilMs
    if (!active || asked.accountId !== accountId || (asked.secret !== secret && !isFormer)) return "Revoked"
    if (paused) return "Paused"
    return expiresAtMs !== undefined && expiresAtMs <= dateMs ? "Expired" : undefined
  }

  /** Some at once. */
  readonly #ask = Effect.gen({ self: this }, function* () {
    const { ask, stored } = this.#keys
    const asked = Array.from({ length: 1 + this.#random.below(5) }, () => this.#chooseAsk())
    const { dateMs, left } = stored
    stored.whileTaken = () => {
      if (this.#random.chance(0.1)) stored.dateMs += 1_000
    }
    const answers = yield* Effect.all(asked.map(ask), { concurrency: "unbounded" })
    // Whoever is answered first goes on before the others are.
    yield* Effect.yieldNow
    // What ends meanwhile took from the limit for nothing, and leaves nothing of it to others.
    if (stored.dateMs > dateMs) {
      this.#isLimited = true
      return
    }
    const passing = asked.filter((each) => this.#refusalOf(each) === undefined)
    for (const [place, each] of asked.entries()) {
      const refusal = this.#refusalOf(each)
      if (refusal !== undefined) assert.strictEqual(answers[place], refusal)
      else if (each.purpose !== "call") assert.notInclude(["Revoked", "Paused", "Expired"], answers[place])
    }
    const calls = asked.flatMap((each, place) => (each.purpose === "call" ? [answers[place]!] : []))
    const passed = calls.filter((answer) => answer === "Admitted").length
    if (stored.key!.rateLimitPerMinute === 0) {
      assert.strictEqual(stored.left, left)
      return
    }
    assert.strictEqual(passed, left - stored.left, "calls that pass take from the limit, and no others")
    const wanted = passing.filter(({ purpose }) => purpose === "call").length
    if (!this.#isLimited) assert.strictEqual(passed, Math.min(wanted, left), "a call is limited for nothing")
    this.#isLimited ||= wanted > left
  })

  readonly step = Effect.suspend(() => {
    const { stored } = this.#keys
    const act = this.#random.below(10)
    if (act < 6) return this.#ask
    if (act < 8) this.#change()
    else if (act === 8) stored.left = this.#random.below(10)
    else stored.dateMs += 500
    return Effect.void
  })
}

it.live("calls are answered as their key is, and take from its limit where they pass", () =>
  Effect.forEach(seeds(80), (seed) =>
    Effect.gen(function* () {
      const run = new Run(new Random(seed))
      for (let step = 0; step < 60; step++) yield* run.step
    }).pipe(Effect.catchDefect((cause) => Effect.die(new Error(`run ${seed}`, { cause }))))
  )
)
