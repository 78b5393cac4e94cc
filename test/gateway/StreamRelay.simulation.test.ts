/**
 * Upstream, client and ledger do whatever they like, in any order: what is not held for is never passed on, and a stream ends once,
 * without waiting for anything that does not come.
 */
import { afterEach, assert, beforeEach, it, vi } from "vitest"
import { Effect, Exit } from "effect"
import type { AccountId, CallId } from "../../src/domain/ids.ts"
import { tokenRate } from "../../src/domain/price.ts"
import { MessagesPassthrough } from "../../src/formats/messages/MessagesPassthrough.ts"
import type { IdentifiedCall } from "../../src/gateway/Call.ts"
import { plainHold } from "../../src/gateway/hold-terms.ts"
import { HoldMeter } from "../../src/gateway/HoldMeter.ts"
import type { RelayEnd } from "../../src/gateway/StreamRelay.ts"
import type { LedgerClient } from "../../src/ledger/bridge/LedgerClient.ts"
import type { Admission } from "../../src/ledger/bridge/protocol.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"
import { eachSeed, type Random } from "../Random.ts"
import { begin } from "./begin-relay.ts"

const perMtokVnd = 1_000
const vndFor = (tokens: number) => BigInt(tokens * perMtokVnd)
const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const text = (number: number) =>
  event("content_block_delta", { index: 0, delta: { type: "text_delta", text: `<${number}>` } })
const stop = event("message_stop", {})
const numbersIn = (sent: string) => Array.from(sent.matchAll(/<(\d+)>/g), ([, number]) => Number(number))
const firstNumbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Each event of text is one token. */
class Run {
  readonly #random: Random
  readonly #answers: Array<(answer: Admission) => void> = []
  readonly #meter = new HoldMeter({
    ledger: {
      extend: (_accountId, _call, _demand, answer) => void this.#answers.push(answer)
    } as LedgerClient,
    call: { id: "call" as CallId, identity: { accountId: "acc_1" as AccountId } } as IdentifiedCall,
    terms: { ...plainHold, rate: tokenRate(perMtokVnd) },
    inputTokens: 0,
    granted: vndFor(10),
    quantum: 8,
    outputMax: 1_000_000
  })
  readonly #codec = new MessagesPassthrough()
  readonly #relay: ReturnType<typeof begin>
  readonly #ends: Array<RelayEnd> = []
  /** What the upstream has still to send: from what is read of it now on. */
  #unread = ""
  #written = 0
  #hasStopped = false
  #isOver = false
  #isLeft = false
  #isEnded = false
  readonly #acts: ReadonlyArray<() => unknown>

  constructor(random: Random) {
    this.#random = random
    const output = () => {
      const guess = this.#codec.meter.events
      return { bound: guess + 2, guess, least: 0, isWhole: this.#codec.finished }
    }
    this.#relay = begin(this.#codec, { meter: this.#meter, output })
    Object.assign(this.#relay.client, { drop: () => this.#leave() })
    Effect.runCallback(this.#relay.relay.ended, {
      onExit: (exit) => {
        assert.isTrue(Exit.isSuccess(exit))
        if (Exit.isSuccess(exit)) this.#ends.push(exit.value)
      }
    })
    this.#acts = this.#choices()
  }

  #choices(): ReadonlyArray<() => unknown> {
    const random = this.#random
    const { exchange } = this.#relay
    const acts: ReadonlyArray<readonly [times: number, act: () => unknown]> = [
      [12, () => this.#write(random.below(6))],
      [1, () => this.#stop()],
      [16, () => this.#read(random.next())],
      [2, () => this.#unread === "" && this.#finish(() => exchange.onEnd())],
      [1, () => random.chance(0.3) && this.#finish(() => exchange.onFailure("ECONNRESET", false))],
      [4, () => (this.#relay.client.writable = false)],
      [4, () => this.#catchUp()],
      [8, () => this.#answer({ _tag: "Admitted", granted: vndFor(1 + random.below(20)) })],
      [3, () => this.#answer({ _tag: "Unavailable" })],
      [1, () => this.#answer({ _tag: "Insufficient" })],
      [4, () => this.#pass(1_000)],
      [1, () => random.chance(0.2) && this.#leave()],
      [2, () => this.#settled()]
    ]
    return acts.flatMap(([times, act]) => Array.from({ length: times }, () => act))
  }

  #write(count: number): void {
    if (this.#hasStopped || this.#isOver) return
    for (let each = 0; each < count; each++) this.#unread += text(this.#written++)
  }

  #stop(): void {
    if (this.#hasStopped || this.#isOver) return
    this.#hasStopped = true
    this.#unread += stop
  }

  /** What had been read when the upstream was paused still comes, now and then. */
  #read(share: number): void {
    const { exchange, upstream } = this.#relay
    const isRead = !upstream.paused || this.#random.chance(0.1)
    if (!isRead || this.#isOver || upstream.aborted > 0 || this.#unread === "") return
    const length = Math.ceil(this.#unread.length * share)
    const bytes = Buffer.from(this.#unread.slice(0, length))
    this.#unread = this.#unread.slice(length)
    exchange.onData(bytes)
  }

  #finish(how: () => void): void {
    if (this.#isOver || this.#relay.upstream.aborted > 0) return
    this.#isOver = true
    how()
  }

  #catchUp(): void {
    const { client } = this.#relay
    client.writable = true
    const { onWritable } = client
    client.onWritable = () => {}
    if (client.isOpen) onWritable()
  }

  #answer(answer: Admission): void {
    this.#answers.shift()?.(answer)
  }

  #pass(ms: number): void {
    vi.advanceTimersByTime(ms)
    if (this.#relay.watched() > 0) this.#relay.relay.tick(steadyMs())
  }

  /** Its provider bills on, or not. */
  #leave(): void {
    const { client, relay } = this.#relay
    if (this.#isLeft || this.#ends.length > 0) return
    this.#isLeft = true
    client.isOpen = false
    if (this.#random.chance(0.5)) relay.detach()
    else relay.abort()
  }

  /** As the call does once its stream is over and, where that is well, charged. */
  #settled(): void {
    const [end] = this.#ends
    if (end === undefined || this.#isEnded) return
    this.#isEnded = true
    const { relay } = this.#relay
    if (this.#isLeft) relay.abort()
    else if (end._tag === "Finished") relay.complete()
    else if (relay.started) relay.fail("(failed)")
    else relay.abort()
  }

  step(): void {
    this.#random.pick(this.#acts)()
    this.#check()
  }

  #check(): void {
    const { client, sent, upstream } = this.#relay
    const passed = numbersIn(sent.join(""))
    assert.deepStrictEqual(passed, firstNumbers(passed.length), "what was sent comes in its order, and once")
    // What breaks off costs nothing.
    if (this.#ends[0]?._tag !== "Failed")
      assert.isAtMost(passed.length, this.#meter.covered, "more is passed on than is held for")
    assert.isAtMost(this.#ends.length, 1)
    const ends = sent.findIndex((piece) => piece.endsWith("(end)"))
    assert.isTrue(ends === -1 || ends === sent.length - 1, "something is sent behind the end")
    if (this.#ends.length > 0 || !client.isOpen || upstream.aborted > 0 || this.#isOver) return
    const waitsForHold = this.#codec.meter.events + 2 > this.#meter.covered
    if (client.writable && !waitsForHold) assert.isFalse(upstream.paused, "paused for nothing")
  }

  /** From now on all do what they are asked: the client reads, the ledger answers, the upstream says the rest and ends. */
  end(): void {
    const answer: Admission = this.#random.chance(0.5)
      ? { _tag: "Admitted", granted: vndFor(100) }
      : { _tag: "Insufficient" }
    for (let second = 0; second < 4; second++) {
      this.#catchUp()
      while (this.#answers.length > 0) this.#answer(answer)
      this.#pass(1_000)
      if (!this.#relay.upstream.paused) this.#read(1)
      if (this.#unread === "") this.#finish(() => this.#relay.exchange.onEnd())
    }
    const { relay, sent, upstream, watched } = this.#relay
    if (this.#isLeft && upstream.aborted > 0 && this.#ends.length === 0)
      return assert.strictEqual(watched(), 0)
    assert.strictEqual(this.#ends.length, 1, "a stream hangs")
    this.#settled()
    this.#check()
    assert.strictEqual(watched(), 0)
    const [end] = this.#ends
    if (this.#isLeft || !relay.started) return
    assert.isTrue(sent.at(-1)!.endsWith("(end)"))
    const lost = this.#codec.meter.events - numbersIn(sent.join("")).length
    if (end!._tag === "Exhausted") assert.strictEqual(lost, end!.lostEvents)
    else if (end!._tag !== "Broken") assert.strictEqual(lost, 0)
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it("a stream passes on what is held for, in its order, and ends once", async () => {
  await eachSeed(150, (random) => {
    const run = new Run(random)
    for (let step = 0; step < 80; step++) run.step()
    run.end()
  })
})
