/**
 * Routes change while calls go by them: what is known of a route is what calls by that one made of it, it rests for as long as its
 * provider has asked for, and one that nobody calls any more is not told of for ever.
 */
import { assert, it } from "vitest"
import type { ProviderSettings, Route } from "../../src/config/settings.ts"
import type { Asker } from "../../src/upstream/Asker.ts"
import type { AnswerHead } from "../../src/upstream/http1/read-head.ts"
import type { RouteHealth } from "../../src/upstream/RouteHealth.ts"
import { RouteHealths } from "../../src/upstream/RouteHealths.ts"
import { eachSeed, type Random } from "../Random.ts"
import { providerOf } from "./stub-providers.ts"

const ids = ["p#0", "p#1"]
const ways = [
  { baseUrl: "http://one.test", apiKey: "a" },
  { baseUrl: "http://one.test", apiKey: "b" },
  { baseUrl: "http://two.test", apiKey: "a" }
]
const accounts = ["acc_1", "acc_2", "acc_3"]
const models = ["m", "n"]
const statuses = [200, 200, 200, 400, 401, 403, 429, 500, 503, 529]
/** Longer than anything is remembered for. */
const longMs = 3_700_000

/** What has become of a route since it is there. */
interface Known {
  readonly route: Route
  calls: number
  failures: number
  /** By model, as its provider has asked for. */
  readonly restsUntilMs: Map<string, number>
}

interface CallMade {
  readonly route: Route
  readonly asker: Asker
  readonly health: RouteHealth
  /** `undefined`: its route is no more. */
  readonly known: () => Known | undefined
}

const isSame = (one: Route, other: Route): boolean =>
  one.id === other.id && one.baseUrl === other.baseUrl && one.apiKey === other.apiKey

class Run {
  readonly #random: Random
  readonly #healths = new RouteHealths()
  readonly #known = new Map<string, Known>()
  readonly #acts: ReadonlyArray<() => unknown>
  #calls: ReadonlyArray<CallMade> = []
  #provider: ProviderSettings
  #nowMs = 1_000_000

  constructor(random: Random) {
    this.#random = random
    this.#provider = this.#chooseRoutes()
    this.#acts = this.#choices()
  }

  /** Each way as a new object, as it comes to a thread. */
  #chooseRoutes(): ProviderSettings {
    const present = ids.filter(() => this.#random.chance(0.9))
    return providerOf(
      present.map((id) => {
        const { apiKey, baseUrl } = this.#random.pick(ways)
        return { id, apiKey, baseUrl, priority: 1, weight: 1 }
      })
    )
  }

  #askerOf(): Asker {
    return { account: this.#random.pick(accounts), model: this.#random.pick(models) }
  }

  #begin(route: Route): void {
    const asker = this.#askerOf()
    const before = this.#told()
    const health = this.#healths.of(route)
    health.begin(asker, this.#nowMs)
    const call = { route, asker, health }
    if (!this.#provider.routes.some((present) => isSame(present, route))) {
      this.#calls = [...this.#calls, { ...call, known: () => undefined }]
      assert.deepStrictEqual(this.#told(), before, "a former route is told of")
      return
    }
    const known = this.#known.get(route.id) ?? { route, calls: 0, failures: 0, restsUntilMs: new Map() }
    this.#known.set(route.id, known)
    const knownStill = () => (this.#known.get(route.id) === known ? known : undefined)
    this.#calls = [...this.#calls, { ...call, known: knownStill }]
  }

  #tell({ asker, health, known }: CallMade): void {
    const random = this.#random
    const still = known()
    const before = this.#told()
    if (still !== undefined) still.calls++
    if (random.chance(0.2)) {
      health.failed(asker, random.pick(["connect", "timeout", "broken"] as const), this.#nowMs)
      if (still !== undefined) still.failures++
    } else {
      const status = random.pick(statuses)
      const seconds = random.chance(0.5) ? random.below(60) + 1 : undefined
      const isInHead = seconds === undefined || random.chance(0.5)
      const headers = seconds !== undefined && isInHead ? { "retry-after": String(seconds) } : {}
      const error = Buffer.from(isInHead ? "" : `{"retryDelay": "${seconds}s"}`)
      const head = { status, headers } as unknown as AnswerHead
      const comesWhole = random.chance(0.7)
      health.answered(asker, head, this.#nowMs, 10)
      if (comesWhole) health.cameWhole(asker, head, error, this.#nowMs)
      if (status > 400 && still !== undefined) still.failures++
      const isTold = seconds !== undefined && (isInHead || comesWhole)
      if ([429, 503, 529].includes(status) && isTold) this.#asksForRest(still, asker, seconds)
    }
    if (still === undefined) assert.deepStrictEqual(this.#told(), before, "a former route's call is told of")
  }

  #asksForRest(known: Known | undefined, { model }: Asker, seconds: number): void {
    const untilMs = this.#nowMs + seconds * 1_000
    known?.restsUntilMs.set(model, Math.max(known.restsUntilMs.get(model) ?? 0, untilMs))
  }

  /** It counts where its route is the same, though it was away meanwhile. */
  #break({ asker, route }: CallMade): void {
    const health = this.#healths.known(route)
    health?.brokeOff(asker, this.#nowMs)
    const known = this.#known.get(route.id)
    const isKnown = known !== undefined && isSame(known.route, route)
    assert.strictEqual(health !== undefined, isKnown)
    if (isKnown) known.failures++
  }

  #over(act: (call: CallMade) => void): void {
    if (this.#calls.length === 0) return
    const call = this.#random.pick(this.#calls)
    this.#calls = this.#calls.filter((each) => each !== call)
    act(call)
  }

  #reload(): void {
    const before = this.#told()
    const next = this.#chooseRoutes()
    this.#provider = this.#random.chance(0.5)
      ? next
      : providerOf(this.#provider.routes.map((route) => ({ ...route })))
    this.#healths.keepOnly({ p: this.#provider })
    const isKnown = (id: string) => {
      const known = this.#known.get(id)?.route
      return known !== undefined && this.#provider.routes.some((route) => isSame(route, known))
    }
    assert.deepStrictEqual(
      this.#told(),
      before.filter(({ route }) => isKnown(route)),
      "a reload tells of a route"
    )
    for (const id of ids) if (!isKnown(id)) this.#known.delete(id)
    for (const route of this.#provider.routes.filter(({ id }) => !isKnown(id))) {
      const condition = this.#healths.of(route).readiness(this.#askerOf(), this.#nowMs)
      assert.deepStrictEqual(condition, { admitted: true, resting: false }, "a new route is known")
      this.#known.set(route.id, { route, calls: 0, failures: 0, restsUntilMs: new Map() })
    }
  }

  /** In the order of ids, but for the counts. */
  #told() {
    const nowMs = this.#nowMs
    const states = new Map(this.#healths.states(nowMs).map(({ route, state }) => [route, state]))
    const conditions = this.#healths.conditions(nowMs)
    return this.#healths
      .numbers(nowMs)
      .map(({ attempts, route, successes }) => ({
        route,
        attempts,
        successes,
        state: states.get(route),
        condition: conditions.find((each) => each.route === route)?.state
      }))
      .toSorted((left, right) => (left.route < right.route ? -1 : 1))
  }

  #takeTallies(): void {
    const tallies = this.#healths.takeTallies()
    for (const known of this.#known.values()) {
      const own = tallies.filter(({ route }) => route === known.route.id)
      const failures = own
        .flatMap((tally) => Object.values(tally.failures))
        .reduce((sum, count) => sum + count, 0)
      const calls = own.reduce((sum, tally) => sum + tally.calls, 0)
      assert.deepStrictEqual([calls, failures], [known.calls, known.failures])
      Object.assign(known, { calls: 0, failures: 0 })
    }
  }

  #choices(): ReadonlyArray<() => unknown> {
    const one = <A>(all: ReadonlyArray<A>, act: (one: A) => unknown) =>
      all.length > 0 && act(this.#random.pick(all))
    const acts: ReadonlyArray<readonly [times: number, act: () => unknown]> = [
      [10, () => one(this.#provider.routes, (route) => this.#begin(route))],
      // One that goes on to its next route.
      [2, () => one(this.#calls, ({ route }) => this.#begin(route))],
      [9, () => this.#over((call) => this.#tell(call))],
      [1, () => this.#over((call) => this.#break(call))],
      [2, () => this.#reload()],
      [2, () => this.#takeTallies()],
      [3, () => (this.#nowMs += 500)],
      [1, () => (this.#nowMs += 10_000)]
    ]
    return acts.flatMap(([times, act]) => Array.from({ length: times }, () => act))
  }

  step(): void {
    this.#random.pick(this.#acts)()
    for (const { restsUntilMs, route } of this.#known.values())
      for (const [model, untilMs] of restsUntilMs) {
        const { resting } = this.#healths.of(route).readiness({ account: "acc_9", model }, this.#nowMs)
        if (this.#nowMs < untilMs) assert.isTrue(resting, "it does not rest for as long as was asked for")
      }
  }

  /** Nobody calls any more. */
  end(): void {
    this.#takeTallies()
    this.#nowMs += longMs
    assert.deepStrictEqual(this.#healths.conditions(this.#nowMs), [])
    assert.isTrue(this.#healths.states(this.#nowMs).every(({ state }) => state === "closed"))
  }
}

it("of a route what its own calls made of it is known, for as long as that says anything", async () => {
  await eachSeed(150, (random) => {
    const run = new Run(random)
    for (let step = 0; step < 100; step++) run.step()
    run.end()
  })
})
