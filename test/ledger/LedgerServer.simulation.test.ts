/**
 * Calls begin, grow and end on threads that die in the midst of it, while frames and the database's answers take as long as they like:
 * each call is charged once or not at all, as it was told, and nothing is held in the end.
 */
import { assert, describe, it } from "vitest"
import { Effect, type Fiber } from "effect"
import { makeCallId } from "../../src/domain/ids.ts"
import type { MicroVnd } from "../../src/domain/money.ts"
import type { Holder } from "../../src/ledger/bridge/LedgerClient.ts"
import type { Admission } from "../../src/ledger/bridge/protocol.ts"
import { eachSeed, type Random } from "../Random.ts"
import { customer, startBridge, type Thread } from "./BridgeRun.ts"
import { callRecord } from "./call-record.ts"

interface Call extends Holder {
  readonly thread: Thread
  state: "asks" | "open" | "over"
  held: MicroVnd
  isExtending: boolean
  cost: MicroVnd
  /** Its charge is waited for. */
  isAwaited: boolean
  /** What was told of that. */
  outcome: "charged" | "unpaid" | undefined
  asking?: Fiber.Fiber<void>
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

class Run {
  readonly #random: Random
  readonly #bridge: ReturnType<typeof startBridge>
  readonly #balance: MicroVnd
  readonly #calls: Array<Call> = []
  readonly #threads: Array<Thread>
  readonly #acts: ReadonlyArray<() => unknown>

  constructor(random: Random) {
    this.#random = random
    this.#balance = BigInt(random.below(40_000))
    this.#bridge = startBridge(this.#balance, random.chance(0.7))
    this.#threads = [this.#bridge.open(), this.#bridge.open()]
    this.#acts = this.#choices()
  }

  #choices(): ReadonlyArray<() => unknown> {
    const random = this.#random
    const { journal, ledger } = this.#bridge
    const one = (state: Call["state"], act: (call: Call) => unknown) => {
      const all = this.#calls.filter((call) => call.state === state)
      return all.length > 0 && act(random.pick(all))
    }
    const acts: ReadonlyArray<readonly [times: number, act: () => unknown]> = [
      [10, () => this.#admit()],
      [6, () => one("open", (call) => this.#extend(call))],
      [6, () => one("open", (call) => this.#settle(call))],
      [2, () => one("open", (call) => this.#record(call))],
      [1, () => one("asks", (call) => this.#leave(call))],
      [8, () => random.pick(this.#threads).ask()],
      [8, () => random.pick(this.#threads).hear()],
      [8, () => journal.turn()],
      [2, () => journal.fail()],
      [8, turn],
      [1, () => random.chance(0.4) && ledger.recall([customer.accountId])],
      [1, () => random.chance(0.5) && ledger.walletChanged(customer.accountId)],
      [1, () => random.chance(0.5) && ledger.keyChanged(customer.keyId)],
      [1, () => ledger.putAwayIdle(Number.MAX_SAFE_INTEGER)],
      [1, () => random.chance(0.5) && this.#die()]
    ]
    return acts.flatMap(([times, act]) => Array.from({ length: times }, () => act))
  }

  #admit(): void {
    const thread = this.#random.pick(this.#threads)
    const id = makeCallId(Date.now())
    const call: Call = {
      id,
      thread,
      fromAllowance: 0n,
      held: 0n,
      cost: 0n,
      state: "asks",
      isExtending: false,
      isAwaited: false,
      outcome: undefined
    }
    this.#calls.push(call)
    const minimum = BigInt(1 + this.#random.below(20))
    const wanted = minimum + BigInt(this.#random.below(80))
    const answered = Effect.map(thread.client.admitUnsafe(customer, call, { minimum, wanted }), (answer) => {
      if (call.state !== "asks") return
      call.state = answer._tag === "Admitted" ? "open" : "over"
      this.#granted(call, answer)
      if (answer._tag !== "Admitted") thread.client.record(callRecord(customer, id, 0n), call)
    })
    call.asking = Effect.runFork(answered)
  }

  #granted(call: Call, answer: Admission): void {
    if (answer._tag !== "Admitted") return
    call.held += answer.granted
    const held = this.#calls.reduce((sum, each) => (each.state === "open" ? sum + each.held : sum), 0n)
    const costs = [...this.#bridge.journal.charged.values()].reduce((sum, cost) => sum + cost, 0n)
    assert.isTrue(held + costs <= this.#balance, `${held} held and ${costs} charged of ${this.#balance}`)
  }

  /** Its caller leaves before it has begun. */
  #leave(call: Call): void {
    call.state = "over"
    call.asking?.interruptUnsafe()
    call.thread.client.record(callRecord(customer, call.id, 0n), call)
  }

  #extend(call: Call): void {
    if (call.isExtending) return
    call.isExtending = true
    const wanted = BigInt(1 + this.#random.below(100))
    call.thread.client.extend(customer.accountId, call, { minimum: 1n, wanted }, (answer) => {
      call.isExtending = false
      if (call.state === "open") this.#granted(call, answer)
    })
  }

  #end(call: Call) {
    call.state = "over"
    call.cost = BigInt(this.#random.below(Number(call.held) + 1))
    return callRecord(customer, call.id, call.cost)
  }

  #settle(call: Call): void {
    const record = this.#end(call)
    call.isAwaited = true
    Effect.runCallback(call.thread.client.settle(record, call), {
      onExit: ({ _tag }) => {
        call.outcome = _tag === "Success" ? "charged" : "unpaid"
      }
    })
  }

  #record(call: Call): void {
    call.thread.client.record(this.#end(call), call)
  }

  /** With all that it had not sent. */
  #die(): void {
    const dead = this.#random.below(this.#threads.length)
    const thread = this.#threads[dead]!
    thread.link.dispose()
    this.#threads[dead] = this.#bridge.open()
    for (const call of this.#calls) {
      if (call.thread !== thread) continue
      if (call.outcome === undefined && call.cost > 0n && call.state === "over") call.cost = -1n
      call.state = "over"
    }
  }

  /** How many calls cost something. */
  get charged(): number {
    return this.#bridge.journal.charged.size
  }

  async step(): Promise<void> {
    await this.#random.pick(this.#acts)()
  }

  async #goOn(): Promise<void> {
    for (let round = 0; round < 8; round++) {
      await turn()
      for (const thread of this.#threads) while (thread.ask()) await turn()
      while (this.#bridge.journal.hasWork) {
        await this.#bridge.journal.turn()
        await turn()
      }
      for (const thread of this.#threads) while (thread.hear());
    }
  }

  async end(): Promise<void> {
    const { journal, ledger, stop } = this.#bridge
    await this.#goOn()
    assert.isFalse(
      this.#calls.some(({ isExtending, state }) => state === "asks" || (state === "open" && isExtending))
    )
    for (const call of this.#calls) if (call.state === "open") this.#settle(call)
    await this.#goOn()
    assert.deepStrictEqual(ledger.wallets.holds(), { count: 0, amount: 0n })
    for (const { client } of this.#threads) assert.strictEqual(client.holdsFromAllowances, 0)
    for (const { cost, id, isAwaited, outcome, thread } of this.#calls) {
      const charged = journal.charged.get(id)
      if (isAwaited && this.#threads.includes(thread)) assert.isDefined(outcome, "who waits is told")
      if (outcome === "charged") assert.strictEqual(charged, cost === 0n ? undefined : cost)
      else if (outcome === "unpaid") assert.isUndefined(charged)
      // What ends without being waited for is charged, too.
      else if (cost > 0n && this.#threads.includes(thread)) assert.strictEqual(charged, cost)
    }
    ledger.recall([customer.accountId])
    await this.#goOn()
    assert.strictEqual(journal.escrow, 0n)
    await stop()
  }
}

describe("calls of threads that die", () => {
  it("are charged once or not at all, as they are told, and hold nothing in the end", async () => {
    let charged = 0
    await eachSeed(50, async (random) => {
      const run = new Run(random)
      for (let step = 0; step < 150; step++) await run.step()
      await run.end()
      charged += run.charged
    })
    assert.isAbove(charged, 200, "calls are admitted at all")
  })
})

describe("a wallet that is put away while the database does not answer", () => {
  it("is given back when it does again, so that other nodes have it", async () => {
    const { journal, ledger, stop } = startBridge(1_000n, false)
    const callId = makeCallId(Date.now())
    const asked = ledger.admitUnsafe({ ...customer, callId, minimum: 1n, wanted: 1n })
    const answered = Effect.runPromise(asked)
    while (journal.escrow === 0n) {
      await turn()
      if (journal.hasWork) await journal.turn()
    }
    assert.strictEqual((await answered)._tag, "Admitted")
    ledger.release(customer.accountId, callId)
    await journal.turn()
    assert.isTrue(journal.escrow > 0n)
    ledger.putAwayIdle(Number.MAX_SAFE_INTEGER)
    assert.isFalse(ledger.wallets.has(customer.accountId))
    journal.fail()
    await journal.turn()
    assert.strictEqual(journal.escrow, 0n)
    await stop()
  })
})
