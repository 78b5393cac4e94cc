/**
 * Many callers do at random what callers and operators do, on one node or on several, while a plain account of the
 * truth is kept: what wallets have been given, what calls cost, what is held.
 */
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { CallId } from "../../src/domain/ids.ts"
import type { MicroVnd } from "../../src/domain/money.ts"
import type { HoldAsk } from "../../src/ledger/node/ledger-shape.ts"
import type { Random } from "../Random.ts"
import { callRecord, type Customer, newCallId } from "./call-record.ts"
import { credit, newCustomer, newMember, setOnKey, setOnMember, TestLedger } from "./start-ledger.ts"
import type { ThreadLedger } from "./ThreadLedger.ts"

/** A node's ledger, or a thread that asks it. */
type AnyLedger = TestLedger | ThreadLedger

export interface Truth {
  /** One of the keys that are paid out of it. */
  readonly customer: Customer
  readonly keys: ReadonlyArray<Customer>
  /** What was given less what was charged; never less than what the database has. */
  balance: MicroVnd
  held: MicroVnd
  /** It is a budget, and the wallet has more. */
  readonly isBudget: boolean
}

interface OpenCall {
  readonly callId: CallId
  readonly customer: Customer
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
      this.#open([await newCustomer(this.#url, balance)], balance, false)
    }
  }

  /** Keys of which each may spend so much, in all. */
  async openBudgets(amounts: ReadonlyArray<MicroVnd>): Promise<void> {
    for (const balance of amounts) {
      const customer = await newCustomer(this.#url, 1_000_000n)
      await setOnKey(this.#url, customer.keyId, { budget: { amount: balance, period: "total" } })
      this.#open([customer], balance, true)
    }
  }

  /** Members of whom each may spend so much, in all, with three keys. */
  async openMembers(amounts: ReadonlyArray<MicroVnd>): Promise<void> {
    for (const amount of amounts) {
      const keys = await newMember(this.#url, 3)
      await setOnMember(this.#url, keys[0]!.accountId, { amount, period: "total" })
      this.#open(keys, amount, true)
    }
  }

  #open(keys: ReadonlyArray<Customer>, balance: MicroVnd, isBudget: boolean): void {
    this.truths.push({ customer: keys[0]!, keys, balance, held: 0n, isBudget })
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
    const customer = truth.keys.length === 1 ? truth.customer : this.#random.pick(truth.keys)
    const callId = newCallId()
    const minimum = BigInt(this.#random.below(200)) + 1n
    const wanted = minimum + BigInt(this.#random.below(400))
    if (this.#random.below(4) === 0) await this.#look(truth, customer, ledger, callId)
    const granted = await this.#take(truth, ledger, { ...customer, callId, minimum, wanted })
    if (granted === undefined) return
    const open: OpenCall = { callId, customer, truth, ledger, held: granted }
    while (this.#random.below(3) === 0) await this.#extend(open)
    await (this.#random.below(5) === 0 ? this.#release(open) : this.#settle(open))
  }

  /** Asks whether there is anything left, which holds nothing. */
  async #look(truth: Truth, customer: Customer, ledger: AnyLedger, callId: CallId): Promise<void> {
    const asked = ledger.ledger.checkUnsafe(customer, callId)
    const isThere = truth.balance - truth.held > 0n
    // What is not answered at once may be otherwise when it is heard.
    const isNow = Exit.isExit(asked)
    const answer = await Effect.runPromise(asked)
    const words = `said to have something left: ${truth.balance} of which ${truth.held} held`
    const isBalance = ledger instanceof TestLedger && !truth.isBudget
    if (answer._tag === "Admitted" && isBalance && isNow) assert.isTrue(isThere, words)
    this.counts.looks++
  }

  async #take(truth: Truth, ledger: AnyLedger, hold: HoldAsk & Customer) {
    const { minimum, wanted } = hold
    const asked = ledger.ledger.admitUnsafe(hold)
    return Effect.runPromise(
      Effect.map(asked, (answer) => {
        if (answer._tag !== "Admitted") {
          this.counts.refused++
          return undefined
        }
        this.counts.admitted++
        return this.#granted(truth, answer.granted, minimum, wanted)
      })
    )
  }

  #granted(truth: Truth, granted: MicroVnd, minimum: MicroVnd, wanted: MicroVnd): MicroVnd {
    assert.isTrue(granted >= minimum && granted <= wanted, `${granted} for ${minimum} to ${wanted}`)
    const available = truth.balance - truth.held
    assert.isTrue(granted <= available, `${granted} granted of ${available}`)
    truth.held += granted
    return granted
  }

  async #extend(open: OpenCall): Promise<void> {
    const { accountId } = open.truth.customer
    const hold = { accountId, callId: open.callId, minimum: 1n, wanted: BigInt(this.#random.below(300)) + 1n }
    const granted = await Effect.runPromise(
      Effect.map(open.ledger.ledger.extendUnsafe(hold), (answer) =>
        answer._tag === "Admitted" ? this.#granted(open.truth, answer.granted, 1n, hold.wanted) : 0n
      )
    )
    if (granted > 0n) this.counts.extended++
    open.held += granted
  }

  async #settle({ callId, customer, held, ledger, truth }: OpenCall): Promise<void> {
    const cost = BigInt(this.#random.below(Number(held) + 1))
    truth.held -= held
    truth.balance -= cost
    this.counts.settled++
    if (cost > 0n) this.charged.set(callId, cost)
    const record = callRecord(customer, callId, cost)
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
