/** Work comes and goes, and connections end, in any order: a connection is one work's alone, and nobody waits while there is room. */
import { afterEach, assert, beforeEach, it, vi } from "vitest"
import type { Connection } from "../../src/storage/postgres/Connection.ts"
import {
  ConnectionPool,
  type Loan,
  NoAnswer,
  NoFreeConnection
} from "../../src/storage/postgres/ConnectionPool.ts"
import { eachSeed, type Random } from "../Random.ts"

const options = { connectionsMax: 3, waitingMax: 4, waitMs: 1_000, ageMsMax: 5_000, lentMsMax: 800 }

class FakeConnection {
  readonly sql = this
  readonly openedMs = performance.now()
  hasEnded = false

  close(): Promise<void> {
    this.hasEnded = true
    return Promise.resolve()
  }
}

/** Of one work, as the pool should see it. */
interface Work {
  readonly askedMs: number
  state: "waits" | "has one" | "gave it back" | "was refused"
  loan: (Loan & { readonly connection: FakeConnection; readonly sinceMs: number }) | undefined
  isOverdue: boolean
}

class Run {
  readonly #random: Random
  readonly #opened: Array<FakeConnection> = []
  readonly #works: Array<Work> = []
  readonly #acts: ReadonlyArray<() => unknown>
  readonly #pool = new ConnectionPool(() => {
    const connection = new FakeConnection()
    this.#opened.push(connection)
    return connection as unknown as Connection
  }, options)
  readonly #faults: Array<unknown> = []
  /** Whoever has been given a connection knows of it. */
  #isSettled = true
  #isClosed = false

  constructor(random: Random) {
    this.#random = random
    this.#acts = this.#choices()
  }

  #of(state: Work["state"]): ReadonlyArray<Work> {
    return this.#works.filter((work) => work.state === state)
  }

  #take(): void {
    const work: Work = { askedMs: performance.now(), state: "waits", loan: undefined, isOverdue: false }
    const waiting = this.#of("waits").length
    this.#works.push(work)
    this.#pool
      .take()
      .then(
        (loan) => this.#given(work, loan),
        (cause: unknown) => {
          assert.instanceOf(cause, NoFreeConnection)
          const hasWaited = performance.now() - work.askedMs >= options.waitMs
          assert.isTrue(this.#isClosed || hasWaited || waiting >= options.waitingMax, "refused for nothing")
          work.state = "was refused"
        }
      )
      .catch((fault: unknown) => this.#faults.push(fault))
  }

  #given(work: Work, loan: Loan): void {
    const connection = loan.sql as unknown as FakeConnection
    assert.isFalse(connection.hasEnded && !this.#isClosed, "one that has ended was lent")
    assert.strictEqual(work, this.#of("waits")[0], "somebody came before whoever waited for longer")
    work.state = "has one"
    work.loan = { ...loan, connection, sinceMs: performance.now() }
    loan.overdue.catch((cause: unknown) => {
      assert.instanceOf(cause, NoAnswer)
      work.isOverdue = true
    })
  }

  #release(work: Work): void {
    const { connection, release } = work.loan!
    const isOld = performance.now() - connection.openedMs > options.ageMsMax
    if (work.state === "has one" && isOld)
      assert.isTrue((release(), connection.hasEnded), "an old one is kept")
    else release()
    work.state = "gave it back"
  }

  #close(): void {
    this.#isClosed = true
    void this.#pool.close()
  }

  #choices(): ReadonlyArray<() => unknown> {
    const random = this.#random
    const one = <A>(all: ReadonlyArray<A>, act: (one: A) => unknown) =>
      all.length > 0 && act(random.pick(all))
    const acts: ReadonlyArray<readonly [times: number, act: () => unknown]> = [
      [10, () => this.#take()],
      [8, () => one(this.#of("has one"), (work) => this.#release(work))],
      // Once more.
      [3, () => one(this.#of("gave it back"), (work) => this.#release(work))],
      [2, () => this.#isSettled && one(this.#opened, (connection) => connection.close())],
      [4, () => this.#isSettled && vi.advanceTimersByTime(100)],
      [1, () => this.#isSettled && vi.advanceTimersByTime(2_000)],
      [1, () => random.chance(0.1) && this.#close()]
    ]
    return acts.flatMap(([times, act]) => Array.from({ length: times }, () => act))
  }

  async step(): Promise<void> {
    this.#random.pick(this.#acts)()
    // Some follow one another at once.
    this.#isSettled = this.#random.chance(0.8)
    if (this.#isSettled) await this.#check()
  }

  async #check(): Promise<void> {
    await vi.advanceTimersByTimeAsync(0)
    for (const fault of this.#faults) throw fault
    const [lent, waiting] = [this.#of("has one"), this.#of("waits")]
    assert.strictEqual(new Set(lent.map(({ loan }) => loan!.connection)).size, lent.length, "two share one")
    assert.isAtMost(lent.length, options.connectionsMax)
    assert.isAtMost(waiting.length, options.waitingMax)
    assert.isAtMost(this.#opened.filter(({ hasEnded }) => !hasEnded).length, options.connectionsMax)
    if (this.#isClosed) {
      assert.isEmpty(waiting)
      assert.isTrue(this.#opened.every(({ hasEnded }) => hasEnded))
    } else if (waiting.length > 0) assert.lengthOf(lent, options.connectionsMax, "somebody waits for nothing")
    for (const { isOverdue, loan } of lent) {
      assert.strictEqual(isOverdue, performance.now() - loan!.sinceMs >= options.lentMsMax)
      if (isOverdue) assert.isTrue(loan!.connection.hasEnded)
    }
  }

  async end(): Promise<void> {
    await this.#check()
    while (this.#of("has one").length > 0) {
      for (const work of this.#of("has one")) this.#release(work)
      await this.#check()
    }
    assert.isEmpty(this.#of("waits"))
    this.#close()
    await this.#check()
    assert.strictEqual(vi.getTimerCount(), 0)
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it("a connection is one work's alone, whoever gives theirs back twice, and nobody waits while there is room", async () => {
  await eachSeed(80, async (random) => {
    const run = new Run(random)
    for (let step = 0; step < 60; step++) await run.step()
    await run.end()
  })
})
