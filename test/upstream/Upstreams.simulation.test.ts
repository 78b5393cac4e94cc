/**
 * Calls over several routes, some of them tried beside a first try, while providers and callers do whatever they like, and routes
 * come, go and lead elsewhere: each has one answer or a failure, no try outlives its call, no route stays closed that answers, and
 * none is known or connected to that is no more.
 */
import { afterEach, assert, beforeEach, it, vi } from "vitest"
import { Effect, Exit, type Fiber, Layer, ManagedRuntime } from "effect"
import { BedrockCredentialsError } from "../../src/upstream/sign-bedrock.ts"
import { Sweeper } from "../../src/upstream/Sweeper.ts"
import { Upstreams } from "../../src/upstream/Upstreams.ts"
import type { UpstreamAttempt, UpstreamCall } from "../../src/upstream/UpstreamCall.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"
import { eachSeed, type Random } from "../Random.ts"
import { type FakeSocket, meetSockets } from "./http1/FakeProvider.ts"
import { providerOf, routesTo } from "./stub-providers.ts"

const accounts = ["acc_1", "acc_2", "acc_3"]
/** What providers answer in one run or another. */
const moods = [
  [200],
  [200, 400, 401, 403, 429, 500, 503, 529],
  [200, 429, 503],
  [200, 500, 500, 500, 500, 500, 500]
]
const ports = [1, 2, 3, 4]
const providerTo = (...ports: ReadonlyArray<number>) =>
  providerOf(routesTo(...ports), { connectTimeoutMs: 1_000, firstByteTimeoutMs: 5_000, idleTimeoutMs: 5_000 })

interface CallMade {
  readonly fiber: Fiber.Fiber<number, unknown>
  readonly attempts: Array<UpstreamAttempt>
  /** Its answer is chosen. */
  isAnswered: boolean
}

class Run {
  readonly #random: Random
  readonly #statuses: ReadonlyArray<number>
  readonly #sockets = meetSockets()
  readonly #runtime = ManagedRuntime.make(Upstreams.layer.pipe(Layer.provideMerge(Sweeper.layer)))
  readonly #upstreams = this.#runtime.runSync(Effect.service(Upstreams))
  readonly #sweeper = this.#runtime.runSync(Effect.service(Sweeper))
  readonly #calls: Array<CallMade> = []
  readonly #acts: ReadonlyArray<() => unknown>
  #provider = providerTo(1, 2, 3)

  constructor(random: Random) {
    this.#random = random
    this.#statuses = random.pick(moods)
    this.#acts = this.#choices()
  }

  #choices(): ReadonlyArray<() => unknown> {
    const random = this.#random
    const one = <A>(all: ReadonlyArray<A>, act: (one: A) => unknown) =>
      all.length > 0 && act(random.pick(all))
    const acts: ReadonlyArray<readonly [times: number, act: () => unknown]> = [
      [8, () => this.#call()],
      [1, () => one(this.#open, ({ fiber }) => fiber.interruptUnsafe())],
      [20, () => one(this.#connecting, (socket) => socket.connect())],
      [4, () => one(this.#connecting, (socket) => socket.fail("ECONNREFUSED"))],
      [14, () => one(this.#carrying, (socket) => this.#answer(socket, true))],
      [14, () => one(this.#carrying, (socket) => this.#answer(socket, false))],
      [2, () => one(this.#connected, (socket) => socket.emit("end"))],
      [1, () => random.chance(0.3) && this.#reload()],
      [2, () => one(this.#connected, (socket) => socket.fail("ECONNRESET"))],
      [12, () => vi.advanceTimersToNextTimer()],
      [6, () => vi.advanceTimersByTime(20)],
      [3, () => vi.advanceTimersByTime(200)],
      [1, () => vi.advanceTimersByTime(1_500)],
      [1, () => random.chance(0.3) && vi.advanceTimersByTime(6_000)]
    ]
    return acts.flatMap(([times, act]) => Array.from({ length: times }, () => act))
  }

  /** What has been read when its reader is paused comes, too. */
  #answer(socket: FakeSocket, isWhole: boolean): void {
    const status = this.#random.pick(this.#statuses)
    if (!socket.isPaused || this.#random.chance(0.1)) socket.answer({ status, isWhole })
  }

  /** Calls under way go on by the routes that they have. */
  #reload(): void {
    const count = 1 + this.#random.below(3)
    this.#provider = providerTo(...Array.from({ length: count }, () => this.#random.pick(ports)))
    this.#upstreams.keepOnly({ p: this.#provider })
  }

  #call(isPlain = false, account = this.#random.pick(accounts)): CallMade {
    const random = this.#random
    const call: Omit<CallMade, "fiber"> = { attempts: [], isAnswered: false }
    const number = this.#calls.length
    const shape: UpstreamCall["shape"] = ({ id }) => {
      const request = Effect.succeed({ path: `/${number}/${id}`, headers: {}, body: Buffer.from("{}") })
      if (isPlain || random.chance(0.8)) return request
      const failure = new BedrockCredentialsError({ cause: "none" })
      return Effect.andThen(Effect.sleep(5), random.chance(0.5) ? request : Effect.fail(failure))
    }
    const asked: UpstreamCall = {
      provider: this.#provider,
      asker: { account, model: "m" },
      deadlineMs: steadyMs() + 20_000,
      readWhole: !isPlain && random.chance(0.3),
      hedgeAfterMs: !isPlain && random.chance(0.7) ? 50 : undefined,
      attempts: call.attempts,
      shape
    }
    const served = Effect.gen({ self: this }, function* () {
      const { exchange, head, route } = yield* this.#upstreams.call(asked)
      made.isAnswered = true
      const body = yield* exchange.body(1_000_000)
      assert.strictEqual(body.toString(), `/${number}/${route.id}`)
      return head.status
    })
    const made: CallMade = Object.assign(call, { fiber: this.#runtime.runFork(served) })
    this.#calls.push(made)
    return made
  }

  get #open(): ReadonlyArray<CallMade> {
    return this.#calls.filter(({ fiber }) => fiber.pollUnsafe() === undefined)
  }

  get #connecting(): ReadonlyArray<FakeSocket> {
    return this.#sockets.filter(({ isClosed, isConnected }) => !isClosed && !isConnected)
  }

  get #connected(): ReadonlyArray<FakeSocket> {
    return this.#sockets.filter(({ isClosed, isConnected }) => !isClosed && isConnected)
  }

  get #carrying(): ReadonlyArray<FakeSocket> {
    return this.#connected.filter(({ asked }) => asked !== undefined)
  }

  step(): void {
    this.#random.pick(this.#acts)()
    if (this.#random.chance(0.3)) this.#check()
  }

  /** Once all that follows at once has come to pass. */
  #check(): void {
    vi.advanceTimersByTime(0)
    const tries = Map.groupBy(this.#carrying, ({ asked }) => this.#calls[Number(asked!.split("/")[1])]!)
    for (const [call, { length }] of tries) {
      const exit = call.fiber.pollUnsafe()
      assert.isUndefined(exit, "a try outlives its call")
      if (call.isAnswered) assert.strictEqual(length, 1, "a try goes on beside the answer")
    }
    for (const { fiber } of this.#calls) {
      const exit = fiber.pollUnsafe()
      assert.isFalse(exit !== undefined && Exit.hasDies(exit))
    }
    const routes = new Set(this.#provider.routes.map(({ id }) => id))
    for (const { route } of this.#upstreams.circuits(steadyMs())) assert.isTrue(routes.has(route))
    if (this.#open.length > 0) return
    assert.strictEqual(this.#sweeper.size(), 0, "one is watched for nothing")
    const origins = new Set(this.#provider.routes.map(({ baseUrl }) => baseUrl))
    for (const { idle, open, origin } of this.#upstreams.connections())
      if (!origins.has(origin)) assert.strictEqual(open + idle, 0, "a former route's connection is kept")
  }

  #serve(turns: number): void {
    for (let turn = 0; turn < turns; turn++) {
      for (const socket of this.#connecting) socket.connect()
      for (const socket of this.#carrying) if (!socket.isPaused) socket.answer()
      vi.advanceTimersByTime(100)
    }
  }

  /** Whatever is under way ends, also what begins only then. */
  async #cut(): Promise<void> {
    for (const account of accounts) this.#call(false, account)
    vi.advanceTimersByTime(this.#random.below(100))
    for (const socket of this.#carrying.filter(() => this.#random.chance(0.5))) this.#answer(socket, false)
    this.#sweeper.cutAll()
    this.#call()
    // Each turn, what has begun is cut, and what it waited for passes.
    for (let turn = 0; turn < 5; turn++) {
      vi.advanceTimersByTime(100)
      await Promise.resolve()
    }
    assert.strictEqual(this.#open.length, 0, "a call is not cut")
    this.#check()
  }

  /** The providers answer from now on: no call hangs, and all accounts are served again soon. */
  async end(): Promise<void> {
    this.#serve(12)
    assert.strictEqual(this.#open.length, 0, "a call hangs")
    this.#check()
    vi.advanceTimersByTime(6_000)
    for (const account of accounts) {
      const call = this.#call(true, account)
      this.#serve(3)
      assert.deepStrictEqual(call.fiber.pollUnsafe(), Exit.succeed(200))
    }
    this.#check()
    await this.#cut()
    Effect.runFork(this.#runtime.disposeEffect)
    vi.advanceTimersByTime(100)
    assert.strictEqual(this.#connected.length + this.#connecting.length, 0)
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it("calls over several routes end, and leave no try and no closed route behind", async () => {
  await eachSeed(50, async (random) => {
    const run = new Run(random)
    for (let step = 0; step < 150; step++) run.step()
    await run.end()
  })
})
