/**
 * One node's wallet against a plain model of the database, with other nodes that take and give back as they like, and the
 * steps that may come in any order.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { unavailable } from "../../src/actors/Actor.ts"
import type { Allowance } from "../../src/actors/allowances.ts"
import { Wallets } from "../../src/actors/Wallets.ts"
import { type EscrowAsk, grantOf } from "../../src/domain/escrow.ts"
import type { AccountId, CallId } from "../../src/domain/ids.ts"
import type { EscrowClaim } from "../../src/storage/EscrowStore.ts"
import type { Random } from "../Random.ts"
import { escrowClaim } from "./escrow-claim.ts"
import { Answers, fork, Pending, settled } from "./answers.ts"

const accountId = "acc_1" as AccountId

/** As the real one, without the memory. */
class PlainAllowance implements Allowance {
  readonly max = 200n
  free = 0n
  isEnded = false

  grant(amount: bigint): void {
    assert.isFalse(this.isEnded)
    this.free += amount
    assert.isTrue(this.free <= this.max)
  }

  takeBack(): bigint {
    const left = this.free
    this.free = 0n
    this.isEnded = true
    return left
  }
}

interface Charge {
  readonly cost: bigint
}

export class WalletRun {
  readonly #random: Random
  readonly #claims = new Pending<EscrowAsk, EscrowClaim>()
  readonly #wallets = new Wallets({
    claim: (_, ask) => this.#claims.begin(ask),
    onIdleFunds: () => {},
    mailboxCapacity: 50,
    fork
  })
  /** The database: what is booked, what this node has, what others have. */
  #balance: bigint
  #escrow = 0n
  #elsewhere = 0n
  readonly #queue: Array<Charge> = []
  readonly #holds = new Map<CallId, bigint>()
  /** What the ledger has not heard of yet: calls that a thread holds for by itself. */
  readonly #taken = new Map<CallId, bigint>()
  #allowance: PlainAllowance | undefined
  #thread = 1
  #calls = 0
  #asked = 0
  readonly #answers = new Answers<unknown>()

  constructor(random: Random) {
    this.#random = random
    this.#balance = BigInt(random.below(20_000))
  }

  get #held(): bigint {
    return [...this.#holds.values(), ...this.#taken.values()].reduce((sum, amount) => sum + amount, 0n)
  }

  readonly step = Effect.suspend(() => {
    this.#random.pick([
      () => this.#hold(),
      () => this.#hold(),
      () => this.#extend(),
      () => this.#settle(),
      () => this.#settle(),
      () => this.#release(),
      () => this.#allow(),
      () => this.#takeByItself(),
      () => this.#commit(),
      () => this.#commit(),
      () => this.#answerClaim(),
      () => this.#answerClaim(),
      () => this.#claims.end(unavailable),
      () => this.#credit(),
      () => this.#othersChange(),
      () => this.#wallets.recall(accountId),
      () => this.#wallets.invalidate(accountId),
      () => this.#wallets.takeBackAll(),
      () => this.#threadDies()
    ])()
    return settled
  })

  /** Everybody is answered, and what calls hold is all that is held. */
  readonly end = Effect.gen({ self: this }, function* () {
    while (this.#claims.waiting > 0) {
      this.#answerClaim()
      yield* settled
    }
    assert.strictEqual(this.#answers.all.length, this.#asked)
    assert.strictEqual(this.#wallets.heldBy(accountId), this.#held)
    while (this.#queue.length > 0) this.#commit()
    this.#wallets.recall(accountId)
    this.#commit()
    assert.strictEqual(this.#escrow, this.#held)
  })

  #hold(): void {
    const callId = `call_${this.#calls++}` as CallId
    this.#ask("Hold", callId)
  }

  #extend(): void {
    const callId = this.#pickHeld()
    if (callId !== undefined) this.#ask("Extend", callId)
  }

  #ask(tag: "Hold" | "Extend", callId: CallId): void {
    const minimum = BigInt(this.#random.below(50))
    const wanted = minimum + BigInt(this.#random.below(100))
    this.#asked++
    const asked = this.#wallets.askUnsafe(accountId, { _tag: tag, callId, minimum, wanted }, 0)
    this.#answers.note(
      Effect.map(asked, (answer) => {
        if (answer._tag === "Held") {
          this.#holds.set(callId, (this.#holds.get(callId) ?? 0n) + answer.granted)
          this.#verify()
        }
        return answer
      })
    )
  }

  /** What calls hold, and what they have cost, is there, whatever other nodes do. */
  #verify(): void {
    const costs = this.#queue.reduce((sum, { cost }) => sum + cost, 0n)
    assert.isTrue(
      this.#held + costs + this.#elsewhere <= this.#balance,
      `held ${this.#held}, to be committed ${costs}, elsewhere ${this.#elsewhere}, of ${this.#balance}`
    )
  }

  #settle(): void {
    const callId = this.#pickHeld()
    if (callId === undefined) return
    const held = this.#holds.get(callId)!
    const cost = BigInt(this.#random.below(Number(held) + 1))
    if (cost === 0n) return (this.#wallets.release(accountId, callId), void this.#holds.delete(callId))
    assert.strictEqual(this.#wallets.settle(accountId, callId, cost), "charged")
    this.#holds.delete(callId)
    this.#queue.push({ cost })
    this.#wallets.fillUp(accountId, this.#thread)
  }

  #release(): void {
    const callId = this.#pickHeld()
    if (callId === undefined) return
    this.#wallets.release(accountId, callId)
    this.#holds.delete(callId)
  }

  /** The ledger hears of a call that its thread has held for before it hears anything else of it. */
  #pickHeld(): CallId | undefined {
    const all = [...this.#holds.keys(), ...this.#taken.keys()]
    if (all.length === 0) return undefined
    const callId = this.#random.pick(all)
    const amount = this.#taken.get(callId)
    if (amount !== undefined) {
      this.#wallets.adopt(accountId, { thread: this.#thread, callId, amount }, 0)
      this.#taken.delete(callId)
      this.#holds.set(callId, amount)
    }
    return callId
  }

  #allow(): void {
    const open = () => new PlainAllowance()
    this.#allowance =
      this.#wallets.allow(accountId, { thread: this.#thread, wanted: 1n, open }) ?? this.#allowance
  }

  #takeByItself(): void {
    const amount = BigInt(1 + this.#random.below(20))
    if (this.#allowance === undefined || this.#allowance.free < amount) return
    this.#allowance.free -= amount
    this.#taken.set(`call_${this.#calls++}` as CallId, amount)
    this.#verify()
  }

  #threadDies(): void {
    this.#wallets.endThread(this.#thread++)
    this.#allowance = undefined
    this.#taken.clear()
  }

  /** The first few charges that wait, and what the node has then. */
  #commit(): void {
    const batch = this.#queue.splice(0, 1 + this.#random.below(3))
    const cost = batch.reduce((sum, each) => sum + each.cost, 0n)
    const escrow = this.#wallets.escrowOf(accountId, cost)
    this.#balance -= cost
    if (escrow === undefined) return
    this.#escrow = escrow.amount
    this.#wallets.committed(accountId, cost)
    assert.isTrue(this.#escrow + this.#elsewhere <= this.#balance)
  }

  #answerClaim(): void {
    if (this.#claims.waiting === 0) return
    // Everything that waits is written before a claim is made.
    while (this.#queue.length > 0) this.#commit()
    this.#commit()
    const free = this.#balance - this.#escrow - this.#elsewhere
    const ask = this.#claims.asked[this.#claims.asked.length - this.#claims.waiting]!
    const grant = grantOf(ask, { free, isAlone: false, othersIdle: false, unheard: 0n })
    this.#escrow += grant.granted
    this.#claims.end(
      Effect.succeed(
        // The others' parts are shown as nobody's, since a second look is not what is tried here.
        escrowClaim({
          accountId,
          granted: grant.granted,
          amount: this.#escrow,
          isExact: grant.isExact,
          free: free - grant.granted
        })
      )
    )
  }

  #credit(): void {
    this.#balance += BigInt(this.#random.below(2_000))
    this.#wallets.invalidate(accountId)
  }

  #othersChange(): void {
    const free = this.#balance - this.#escrow - this.#elsewhere
    const change = BigInt(this.#random.below(500)) - 250n
    if (change > free || this.#elsewhere + change < 0n) return
    this.#elsewhere += change
    // What they give back is told of here, since a wallet that lacks is not asked for again otherwise.
    if (change < 0n) this.#wallets.invalidate(accountId)
  }
}
