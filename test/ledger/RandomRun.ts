/**
 * Many callers do at random what callers and operators do, on one node or on several, while a plain account of the
 * truth is kept: what wallets have been given, what calls cost, what is held.
 */
import { assert } from "@effect/vitest"
import type { CallId } from "../../src/domain/ids.ts"
import type { MicroVnd } from "../../src/domain/money.ts"
import { admission } from "../../src/ledger/frames.ts"
import type { Random } from "../Random.ts"
import { callRecord, credit, type Customer, newCallId, newCustomer, TestLedger } from "./start-ledger.ts"
import type { ThreadLedger } from "./ThreadLedger.ts"

/** A node's ledger, or a thread that asks it. */
type AnyLedger = TestLedger | ThreadLedger

export interface Truth {
  readonly customer: Customer
  /** What was given less what was charged; never less than what the database has. */
  balance: MicroVnd
  held: MicroVnd
}

interface OpenCall {
  readonly callId: CallId
  readonly truth: Truth
  readonly ledger: AnyLedger
  held: MicroVnd
}

export interface RunCounts {
  admitted: number
  refused: number
  extended: number
  settled: number
  released: number
  credits: number
  looks: number
}

export class RandomRun {
  readonly #url: string
  readonly #ledgers: ReadonlyArray<AnyLedger>
  readonly #random: Random
  readonly truths: Array<Truth> = []
  readonly charged = new Map<CallId, MicroVnd>()
  readonly counts: RunCounts = {
    admitted: 0,
    refused: 0,
    extended: 0,
    settled: 0,
    released: 0,
    credits: 0,
    looks: 0
  }

  constructor(url: string, ledgers: ReadonlyArray<AnyLedger>, random: Random) {
    this.#url = url
    this.#ledgers = ledgers
    this.#random = random
  }

  async openWallets(balances: ReadonlyArray<MicroVnd>): Promise<void> {
    for (const balance of balances) {
      this.truths.push({ customer: await newCustomer(this.#url, balance), balance, held: 0n })
    }
  }

  /** `callers` callers, each of whom makes `calls` calls one after another. */
  async calls(callers: number, calls: number): Promise<void> {
    const call = async () => {
      for (let count = 0; count < calls; count++) await this.#call()
    }
    await Promise.all(Array.from({ length: callers }, call))
  }

  async creditNow(): Promise<void> {
    const truth = this.#random.pick(this.truths)
    const amount = BigInt(this.#random.below(3_000)) + 1n
    // Counts here before any node can know of it.
    truth.balance += amount
    this.counts.credits++
    await credit(this.#url, truth.customer.accountId, amount)
  }

  async #call(): Promise<void> {
    const truth = this.#random.pick(this.truths)
    const ledger = this.#random.pick(this.#ledgers)
    const callId = newCallId()
    const minimum = BigInt(this.#random.below(200)) + 1n
    const wanted = minimum + BigInt(this.#random.below(400))
    if (this.#random.below(4) === 0) await this.#look(truth, ledger, callId)
    const granted = await this.#take(truth, ledger, callId, minimum, wanted)
    if (granted === undefined) return
    const open: OpenCall = { callId, truth, ledger, held: granted }
    while (this.#random.below(3) === 0) await this.#extend(open)
    await (this.#random.below(5) === 0 ? this.#release(open) : this.#settle(open))
  }

  /** Asks whether there is anything left, which holds nothing. */
  async #look(truth: Truth, ledger: AnyLedger, callId: CallId): Promise<void> {
    await new Promise<void>((resolve, reject) =>
      ledger.ledger.check(truth.customer, callId, ([code]) => {
        const isThere = truth.balance - truth.held > 0n
        // A thread hears of it later, when it may be otherwise.
        if (code === admission.admitted && ledger instanceof TestLedger && !isThere)
          return reject(
            new Error(`said to have something left: ${truth.balance} of which ${truth.held} held`)
          )
        this.counts.looks++
        resolve()
      })
    )
  }

  async #take(truth: Truth, ledger: AnyLedger, callId: CallId, minimum: MicroVnd, wanted: MicroVnd) {
    const { customer } = truth
    // Asked for with a callback, so that the truth is compared in the very moment of the decision.
    const hold = { accountId: customer.accountId, callId, minimum, wanted }
    return new Promise<MicroVnd | undefined>((resolve, reject) =>
      ledger.ledger.admit(customer.keyId, hold, ([code, value]) => {
        if (code !== 0) {
          this.counts.refused++
          return resolve(undefined)
        }
        this.counts.admitted++
        resolve(this.#granted(truth, BigInt(value!), minimum, wanted, reject))
      })
    )
  }

  #granted(
    truth: Truth,
    granted: MicroVnd,
    minimum: MicroVnd,
    wanted: MicroVnd,
    reject: (error: unknown) => void
  ): MicroVnd {
    try {
      assert.isTrue(granted >= minimum && granted <= wanted, `${granted} for ${minimum} to ${wanted}`)
      const available = truth.balance - truth.held
      assert.isTrue(granted <= available, `${granted} granted of ${available}`)
    } catch (error) {
      reject(error)
    }
    truth.held += granted
    return granted
  }

  async #extend(open: OpenCall): Promise<void> {
    const { accountId } = open.truth.customer
    const hold = { accountId, callId: open.callId, minimum: 1n, wanted: BigInt(this.#random.below(300)) + 1n }
    const granted = await new Promise<MicroVnd>((resolve, reject) =>
      open.ledger.ledger.extend(hold, ([code, value]) =>
        resolve(code === 0 ? this.#granted(open.truth, BigInt(value!), 1n, hold.wanted, reject) : 0n)
      )
    )
    if (granted > 0n) this.counts.extended++
    open.held += granted
  }

  async #settle({ callId, held, ledger, truth }: OpenCall): Promise<void> {
    const cost = BigInt(this.#random.below(Number(held) + 1))
    truth.held -= held
    truth.balance -= cost
    this.counts.settled++
    if (cost > 0n) this.charged.set(callId, cost)
    const record = callRecord(truth.customer, callId, cost)
    const settled = ledger.settle(record)
    // Somebody says it twice now and then.
    await Promise.all([settled, this.#random.below(4) === 0 ? ledger.settle(record) : settled])
  }

  async #release({ callId, held, ledger, truth }: OpenCall): Promise<void> {
    truth.held -= held
    this.counts.released++
    ledger.ledger.release(truth.customer.accountId, callId)
  }
}
