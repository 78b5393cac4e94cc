/**
 * Clients and the dashboard do whatever they like, in any order, and the dashboard dies and comes back elsewhere: each request has the
 * answer that was given to it, or is told that there is none, and leaves neither its place nor its way to the dashboard taken.
 */
import { afterEach, assert, beforeEach, it, vi } from "vitest"
import { Effect, ManagedRuntime } from "effect"
import { type Dispatcher, Pool } from "undici"
import type { HttpRequest } from "uWebSockets.js"
import type { CallId } from "../../src/domain/ids.ts"
import { DashboardPlaces } from "../../src/http/DashboardPlaces.ts"
import { DashboardProxy, startMaxMs, type DashboardTarget } from "../../src/http/DashboardProxy.ts"
import { eachSeed, type Random } from "../Random.ts"
import { FakeClient, type Received } from "./FakeClient.ts"
import { Passed } from "./Passed.ts"
import { edgeOf } from "./start-edge.ts"

interface Asked {
  readonly number: number
  readonly client: FakeClient
  readonly received: Received
  /** `undefined`: it is not whole, waits for the dashboard to be there, or was refused. */
  passed: Passed | undefined
  status: number
}

/** For all clients, who have one address. */
const placesMax = 8
type Headers = Readonly<Record<string, string>>
/** By its number a request is known where it is passed on. */
const requestOf = (number: number) =>
  ({
    forEach: (tell: (name: string, value: string) => void) => tell("x-number", String(number))
  }) as unknown as HttpRequest

class Run {
  readonly #random: Random
  readonly #edge = edgeOf()
  readonly #places = new DashboardPlaces(() => ({ descriptors: 0, perAddress: () => 1 }))
  readonly #runtime = ManagedRuntime.make(DashboardProxy.layer)
  readonly #proxy = this.#runtime.runSync(Effect.service(DashboardProxy))
  readonly #clients = Array.from({ length: 14 }, () => new FakeClient(this.#edge))
  readonly #acts: ReadonlyArray<() => unknown>
  readonly #destroyed = new Set<Pool>()
  readonly #passed: Array<Passed> = []
  #asked: ReadonlyArray<Asked> = []
  #target: DashboardTarget | undefined
  /** Of their own will. */
  readonly #left = new Set<FakeClient>()
  /** For the dashboard. */
  readonly #waiting = new Set<Asked>()
  #count = 0

  constructor(random: Random) {
    this.#random = random
    this.#acts = this.#choices()
    const dispatched = (pool: Pool, headers: Headers, handler: Dispatcher.DispatchHandler) =>
      this.#dispatched(pool, headers, handler)
    vi.spyOn(Pool.prototype, "dispatch").mockImplementation(function (this: Pool, { headers }, handler) {
      dispatched(this, headers as Headers, handler)
      return true
    })
    const destroyed = this.#destroyed
    vi.spyOn(Pool.prototype, "destroy").mockImplementation(function (this: Pool) {
      destroyed.add(this)
      return Promise.resolve()
    } as never)
    if (random.chance(0.9)) this.#aim()
  }

  #dispatched(pool: Pool, headers: Headers, handler: Dispatcher.DispatchHandler): void {
    assert.strictEqual(headers["x-tollgate-internal"], this.#target!.secret)
    assert.isFalse(this.#destroyed.has(pool))
    const passed = new Passed(pool, this.#target!, handler)
    this.#passed.push(passed)
    const asked = this.#asked.find(({ number }) => String(number) === headers["x-number"])!
    asked.passed = passed
    this.#waiting.delete(asked)
  }

  #aim(): void {
    this.#count++
    const target = { url: `http://127.0.0.1:${this.#random.below(2) + 1}`, secret: `secret ${this.#count}` }
    this.#target = this.#random.chance(0.15) ? undefined : target
    this.#proxy.aim(this.#target)
  }

  #ask(client: FakeClient): void {
    const hasBody = this.#random.chance(0.5)
    client.ask({ hasBody, url: "/dashboard/api/keys" }, (exchange) => {
      if (hasBody) exchange.expectBody(undefined, 1_000)
      const number = this.#count++
      const asked: Asked = { number, client, received: client.last, passed: undefined, status: 0 }
      this.#asked = [...this.#asked.filter((each) => each.client !== client), asked]
      this.#proxy.serve(exchange, requestOf(number), this.#places, `req_${number}` as CallId)
    })
  }

  get #underway(): ReadonlyArray<Passed> {
    return this.#passed.filter(({ isOver }) => !isOver)
  }

  get #inPlaces(): number {
    return this.#underway.filter(({ isStream }) => !isStream).length + this.#waiting.size
  }

  /** What is whole now and is not passed on was refused, or waits. */
  #by(act: (client: FakeClient) => unknown): void {
    const client = this.#random.pick(this.#clients)
    const known = this.#asked
    const mayRefuse = this.#inPlaces === placesMax
    const hadSaidAll = client.hasSaidAll
    act(client)
    const asked = this.#asked.find((each) => each.client === client)
    if (asked === undefined || !client.hasSaidAll || (hadSaidAll && known === this.#asked)) return
    if (asked.passed !== undefined || mayRefuse) return
    assert.isUndefined(this.#target, "it is refused, or waits, for nothing")
    this.#waiting.add(asked)
  }

  #choices(): ReadonlyArray<() => unknown> {
    const random = this.#random
    const one = (choose: (passed: Passed) => boolean, act: (passed: Passed) => unknown) => {
      const all = this.#passed.filter((passed) => choose(passed) && !passed.isOver)
      if (all.length > 0) act(random.pick(all))
    }
    const lives = (passed: Passed) => !this.#destroyed.has(passed.pool)
    const answers = (passed: Passed) => lives(passed) && passed.state === "answers" && !passed.paused
    const answer = (passed: Passed) => {
      const status = random.pick([200, 204, 404])
      this.#of(passed).status = status
      passed.answer(status, random.chance(0.2) ? "text/event-stream" : "application/json")
    }
    const say = (passed: Passed) => {
      passed.say(`${this.#count++} `)
      const { client } = this.#of(passed)
      assert.strictEqual(
        passed.paused,
        client.isAlive && !client.keepsUp,
        "it goes on for a client that does not keep up"
      )
    }
    const waits = (passed: Passed) => lives(passed) && passed.state === "waits"
    const isAsked = (passed: Passed) => lives(passed) && passed.state === "asked"
    const fail = (passed: Passed) => passed.fail()
    const acts: ReadonlyArray<readonly [times: number, act: () => unknown]> = [
      [16, () => this.#by((client) => this.#ask(client))],
      [8, () => this.#by((client) => client.send("{}", true))],
      [1, () => this.#by((client) => client.hasSaidAll || client.send("{"))],
      [1, () => this.#by((client) => (this.#left.add(client), client.leave()))],
      [4, () => this.#by((client) => (client.keepsUp = false))],
      [4, () => this.#by((client) => client.read())],
      [8, () => one(waits, (passed) => passed.begin())],
      [1, () => one(isAsked, (passed) => passed.inform())],
      [6, () => one(isAsked, answer)],
      [8, () => one(answers, say)],
      [2, () => one(answers, (passed) => passed.end())],
      [1, () => one(lives, fail)],
      [2, () => one((passed) => !lives(passed), fail)],
      [1, () => random.chance(0.3) && this.#aim()]
    ]
    return acts.flatMap(([times, act]) => Array.from({ length: times }, () => act))
  }

  #of(passed: Passed): Asked {
    return this.#asked.find((each) => each.passed === passed)!
  }

  step(): void {
    this.#random.pick(this.#acts)()
    for (const [place, client] of this.#clients.entries())
      if (!client.isAlive) this.#clients[place] = new FakeClient(this.#edge)
    if (this.#random.chance(0.8)) this.#check()
  }

  #check(): void {
    vi.advanceTimersByTime(1)
    const underway = this.#underway
    assert.strictEqual(this.#places.descriptors, 2 * (underway.length + this.#waiting.size))
    assert.isAtMost(this.#inPlaces, placesMax)
    for (const { pool, target } of underway)
      if (target.url !== this.#target?.url) assert.isTrue(this.#destroyed.has(pool), "a former way is kept")
    for (const asked of this.#asked) this.#checkAnswer(asked)
    this.#asked = this.#asked.filter(
      (asked) => asked.client.isAlive || asked.passed?.isOver === false || this.#waiting.has(asked)
    )
  }

  #checkAnswer({ client, passed, received, status }: Asked): void {
    const isGone = !client.isAlive
    assert.isAtMost(received.headers.filter(([name]) => name === "content-type").length, 1)
    assert.isFalse(client.isCutOff)
    if (passed === undefined) {
      assert.isTrue(received.status === "" || received.status.startsWith("503"))
      return
    }
    const { isOver, paused, said, state } = passed
    if (this.#left.has(client)) assert.isTrue(isOver || state === "waits", "it goes on for nobody")
    else
      assert.strictEqual(isGone, state === "failed" && said !== "", "a connection is broken off for nothing")
    if (isGone || !client.keepsUp) return
    if (state === "failed") assert.isTrue(received.isWhole && received.status.startsWith("502"))
    else assert.strictEqual(received.body, said)
    assert.isFalse(!isOver && paused, "it waits for a client that keeps up")
    assert.strictEqual(received.isWhole, isOver)
    if (state === "ended") assert.strictEqual(received.status.slice(0, 3), String(status))
  }

  /** Everybody goes on: nothing hangs. */
  end(): void {
    for (const client of this.#clients) client.read()
    for (const passed of this.#passed) {
      if (passed.state === "waits") passed.begin()
      if (passed.state === "asked") passed.fail()
      if (passed.state === "answers") passed.end()
    }
    this.#check()
    vi.advanceTimersByTime(startMaxMs)
    for (const { client, received } of this.#waiting)
      if (client.isAlive) assert.isTrue(received.status.startsWith("503"))
    assert.strictEqual(this.#places.descriptors, 0)
    for (const client of this.#clients) client.leave()
    vi.advanceTimersByTime(1)
    assert.strictEqual(this.#edge.openExchanges, 0)
    Effect.runFork(this.#runtime.disposeEffect)
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it("each request has its own answer or is told of none, and leaves nothing taken", async () => {
  await eachSeed(25, (random) => {
    try {
      const run = new Run(random)
      for (let step = 0; step < 150; step++) run.step()
      run.end()
    } finally {
      vi.restoreAllMocks()
    }
  })
})
