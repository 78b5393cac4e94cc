/** Callers and a provider do whatever they like, in any order: each call has its own answer or a failure, and nothing is left behind. */
import { afterEach, assert, beforeEach, it, vi } from "vitest"
import { steadyMs } from "../../../src/telemetry/steady-clock.ts"
import { ConnectionPool } from "../../../src/upstream/http1/ConnectionPool.ts"
import type { AnswerListener, Delivery } from "../../../src/upstream/http1/Delivery.ts"
import { endpointOf } from "../../../src/upstream/http1/Endpoint.ts"
import type { AnswerHead } from "../../../src/upstream/http1/read-head.ts"
import { eachSeed, type Random } from "../../Random.ts"
import { type FakeSocket, meetSockets } from "./FakeProvider.ts"

const connectTimeoutMs = 5_000
const small = Buffer.from("{}")
const large = Buffer.alloc(600_000)

/** Hears head, data and end in this order, or a failure at any time, and nothing after. */
class CallMade implements AnswerListener {
  readonly path: string
  readonly #react: (call: CallMade) => void
  delivery: Delivery | undefined
  heard = ""
  #body = ""
  #status = 0
  #isLeft = false

  /** `react`: to whatever it hears. */
  constructor(path: string, react: (call: CallMade) => void) {
    this.path = path
    this.#react = react
  }

  get isOpen(): boolean {
    return !this.#isLeft && !/[ef]$/.test(this.heard)
  }

  leave(): void {
    this.#isLeft = true
    this.delivery!.abort()
  }

  #hear(what: "h" | "d" | "e" | "f"): void {
    assert.isTrue(this.isOpen, "one that is over hears more")
    this.heard += what
    assert.match(this.heard, /^(?:hd*e?|(?:hd*)?f)$/)
    this.#react(this)
  }

  onProgress(): void {
    assert.isTrue(this.isOpen)
  }

  onHead({ status }: AnswerHead): void {
    this.#status = status
    this.#hear("h")
  }

  onData(bytes: Buffer): void {
    this.#body += bytes.toString("latin1")
    this.#hear("d")
  }

  onEnd(): void {
    assert.strictEqual(this.#body, this.#status === 200 ? this.path : "")
    this.#hear("e")
  }

  onFailure(): void {
    this.#hear("f")
  }
}

class Run {
  readonly #random: Random
  readonly #sockets = meetSockets()
  readonly #pool = new ConnectionPool(endpointOf("http://provider.test"))
  readonly #calls: Array<CallMade> = []
  readonly #acts: ReadonlyArray<() => unknown>
  #isClosed = false
  #isEnding = false

  constructor(random: Random) {
    this.#random = random
    this.#acts = this.#choices()
  }

  #send(body: Buffer): void {
    const call = new CallMade(`/${this.#calls.length}`, (heard) => this.#react(heard))
    this.#calls.push(call)
    call.delivery = this.#pool.send({ path: call.path, headers: {}, body }, connectTimeoutMs, call)
  }

  /** Some leave when they hear something, or have another call follow. */
  #react(call: CallMade): void {
    if (this.#isEnding || !this.#random.chance(0.1)) return
    if (call.isOpen) call.leave()
    else this.#send(small)
  }

  get #open(): ReadonlyArray<CallMade> {
    return this.#calls.filter(({ isOpen }) => isOpen)
  }

  get #alive(): ReadonlyArray<FakeSocket> {
    return this.#sockets.filter(({ isClosed }) => !isClosed)
  }

  get #connecting(): ReadonlyArray<FakeSocket> {
    return this.#alive.filter(({ isConnected }) => !isConnected)
  }

  get #connected(): ReadonlyArray<FakeSocket> {
    return this.#alive.filter(({ isConnected }) => isConnected)
  }

  get #carrying(): ReadonlyArray<FakeSocket> {
    return this.#connected.filter(({ asked }) => asked !== undefined)
  }

  #pass(ms: number): void {
    vi.advanceTimersByTime(ms)
    if (ms >= 1_000) this.#pool.tick(steadyMs())
  }

  #choices(): ReadonlyArray<() => unknown> {
    const random = this.#random
    const one = <A>(all: ReadonlyArray<A>, act: (one: A) => unknown) =>
      all.length > 0 && act(random.pick(all))
    const acts: ReadonlyArray<readonly [times: number, act: () => unknown]> = [
      [12, () => this.#send(small)],
      [3, () => this.#send(large)],
      [4, () => one(this.#open, (call) => call.leave())],
      [1, () => one(this.#open, ({ delivery }) => delivery!.pause())],
      [1, () => one(this.#open, ({ delivery }) => delivery!.resume())],
      [12, () => one(this.#connecting, (socket) => socket.connect())],
      [2, () => one(this.#connecting, (socket) => socket.fail("ECONNREFUSED"))],
      [12, () => one(this.#carrying, (socket) => socket.answer())],
      [2, () => one(this.#carrying, (socket) => socket.answer({ headers: "connection: close\r\n" }))],
      [6, () => one(this.#carrying, (socket) => socket.answer({ isWhole: false }))],
      [2, () => one(this.#carrying, (socket) => socket.timeOut())],
      [1, () => one(this.#connected, (socket) => socket.asked ?? socket.send("x"))],
      [2, () => one(this.#connected, (socket) => socket.emit("end"))],
      [3, () => one(this.#connected, (socket) => socket.fail("ECONNRESET"))],
      [2, () => one(this.#connected, (socket) => (socket.takesMore = false))],
      [3, () => one(this.#connected, (socket) => socket.drain())],
      [8, () => this.#pass(1)],
      [3, () => this.#pass(2_000)],
      [1, () => random.chance(0.3) && this.#pass(31_000)],
      [1, () => random.chance(0.1) && this.#pool.retire()],
      [1, () => random.chance(0.05) && this.#close()]
    ]
    return acts.flatMap(([times, act]) => Array.from({ length: times }, () => act))
  }

  step(): void {
    this.#random.pick(this.#acts)()
    this.#check()
  }

  #close(): void {
    this.#isClosed = true
    this.#pool.close()
  }

  #check(): void {
    const { connecting, idle, open } = this.#pool
    assert.strictEqual(connecting, this.#connecting.length)
    assert.strictEqual(open, this.#connected.length)
    assert.strictEqual(idle, open - this.#carrying.length, "a connection is idle or carries a call")
    if (this.#pool.isRetired) assert.strictEqual(idle, 0)
    const carried = new Set(this.#carrying.map(({ asked }) => asked))
    const waiting = this.#open.filter(({ path }) => !carried.has(path))
    assert.strictEqual(
      this.#open.length - waiting.length,
      carried.size,
      "a connection carries a call that is over"
    )
    if (this.#isClosed) assert.strictEqual(waiting.length + open + connecting, 0)
    else assert.isAtMost(waiting.length, idle + connecting, "a call waits for nothing")
  }

  /** From now on the provider does at once all that it is asked, or nothing any more: no call hangs, and no connection stays. */
  end(isWilling: boolean): void {
    this.#isEnding = true
    const turns = isWilling ? 10 : 0
    for (let turn = 0; turn < turns; turn++) {
      for (const socket of this.#connecting) socket.connect()
      for (const socket of this.#connected) socket.drain()
      for (const socket of this.#carrying) socket.answer()
      this.#pass(1)
    }
    if (!isWilling) this.#pass(2 * connectTimeoutMs)
    assert.strictEqual(this.#open.length, isWilling ? 0 : this.#carrying.length, "a call hangs")
    for (const call of this.#open) call.leave()
    for (let tick = 0; tick < 30; tick++) this.#pass(5_000)
    assert.isTrue(this.#pool.isEmpty)
    const requests = this.#sockets.flatMap((socket) => socket.requests)
    for (const { path } of this.#calls) assert.isAtMost(requests.filter((each) => each === path).length, 2)
    assert.deepStrictEqual([this.#alive, vi.getTimerCount()], [[], 0])
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it("each call has one connection of its own, and nobody's is kept", async () => {
  await eachSeed(150, (random, seed) => {
    const run = new Run(random)
    for (let step = 0; step < 60; step++) run.step()
    run.end(seed % 2 === 0)
  })
})
