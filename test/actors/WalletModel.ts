/** A plain model of the database beside wallets in memory, and the steps that may come in any order. */
import { assert } from "@effect/vitest"
import { Schema } from "effect"
import type { Allowance } from "../../src/actors/allowances.ts"
import { Wallets } from "../../src/actors/Wallets.ts"
import type { AccountId, CallId } from "../../src/domain/ids.ts"

export const Amount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))
const Call = Schema.Literals(["a", "b", "c", "d"])
const Step = Schema.Union([
  Schema.Struct({ _tag: Schema.Literals(["hold", "extend", "settle"]), call: Call, amount: Amount }),
  Schema.Struct({ _tag: Schema.Literal("release"), call: Call }),
  /** A gateway thread holds out of its allowance by itself; dies with all that it holds; takes no more. */
  Schema.Struct({ _tag: Schema.Literal("take"), call: Call, amount: Amount }),
  Schema.Struct({ _tag: Schema.Literals(["allow", "threadDies"]) }),
  /** The journal commits the oldest charge; the database answers a claim, or fails to. */
  Schema.Struct({ _tag: Schema.Literals(["commit", "answerClaim", "failClaim", "invalidate", "putAway"]) }),
  Schema.Struct({ _tag: Schema.Literals(["credit", "giveBack"]), amount: Amount })
])
export const Steps = Schema.Array(Step).check(Schema.isMinLength(40), Schema.isMaxLength(150))

export const accountId = "acc_1" as AccountId

/** As the real one, without the memory. */
class PlainAllowance implements Allowance {
  readonly max = 25n
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

export class WalletModel {
  readonly wallets = new Wallets({ claim: () => this.claims++, mailboxCapacity: 4 })
  claims = 0
  /** What the database says; it knows nothing of what is uncommitted. */
  balance: bigint
  /** What other nodes have of it. */
  elsewhere = 0n
  readonly uncommitted: Array<{ readonly amount: bigint; readonly givenBack: boolean }> = []
  readonly holds = new Map<CallId, bigint>()
  /** What the ledger does not know of yet: calls that a thread holds for by itself. */
  readonly taken = new Map<CallId, bigint>()
  /** Calls whose asks are not answered: they hold for nothing by themselves meanwhile. */
  readonly asking: Array<CallId> = []
  thread = 1
  allowance: PlainAllowance | undefined
  nowMs = 0
  answers = 0
  asked = 0

  constructor(balance: bigint) {
    this.balance = balance
  }

  /** What this node may spend at most, by the truth. */
  get available(): bigint {
    const pending = this.uncommitted.reduce((sum, { amount }) => sum + amount, 0n)
    return this.balance - this.elsewhere - pending - this.held
  }

  get held(): bigint {
    return [...this.holds.values(), ...this.taken.values()].reduce((sum, amount) => sum + amount, 0n)
  }

  allow(): void {
    const open = () => new PlainAllowance()
    this.allowance =
      this.wallets.allow(accountId, { thread: this.thread, wanted: 1n, open }) ?? this.allowance
  }

  /** What a gateway thread does without asking anybody. */
  takeByItself(call: string, amount: bigint): void {
    const callId = call as CallId
    if (this.allowance === undefined || this.allowance.free < amount) return
    if (this.taken.has(callId) || this.holds.has(callId) || this.asking.includes(callId)) return
    assert.isTrue(amount <= this.available, `${amount} of ${this.available}`)
    this.allowance.free -= amount
    this.taken.set(callId, amount)
  }

  threadDies(): void {
    this.wallets.endThread(this.thread)
    this.thread++
    this.allowance = undefined
    this.taken.clear()
  }

  /** The ledger hears of it before it hears anything else of the call. */
  #adopt(callId: CallId): void {
    const amount = this.taken.get(callId)
    if (amount === undefined) return
    assert.isFalse(this.holds.has(callId))
    this.wallets.adopt(accountId, { thread: this.thread, callId, amount }, this.nowMs)
    this.taken.delete(callId)
    this.holds.set(callId, amount)
  }

  take(tag: "Hold" | "Extend", call: string, amount: bigint): void {
    const callId = call as CallId
    this.#adopt(callId)
    this.asked++
    this.asking.push(callId)
    const command = { _tag: tag, callId, minimum: amount, wanted: amount + 10n }
    this.wallets.ask(accountId, command, this.nowMs, (answer) => {
      this.answers++
      this.asking.splice(this.asking.indexOf(callId), 1)
      if (answer._tag !== "Held") return
      assert.isTrue(answer.granted <= this.available, `${answer.granted} of ${this.available}`)
      this.holds.set(callId, (this.holds.get(callId) ?? 0n) + answer.granted)
    })
  }

  settle(call: string, cost: bigint): void {
    const callId = call as CallId
    this.#adopt(callId)
    const held = this.holds.get(callId)
    // Costs within their holds: what goes beyond is charged all the same, and tested where that is decided.
    const within = held === undefined || cost < held ? cost : held
    assert.strictEqual(this.wallets.settle(accountId, callId, within), held !== undefined)
    if (held === undefined) return
    this.holds.delete(callId)
    this.uncommitted.push({ amount: within, givenBack: false })
    this.wallets.fillUp(accountId, this.thread)
  }

  commit(): void {
    const oldest = this.uncommitted.shift()
    if (oldest === undefined) return
    if (oldest.givenBack) this.elsewhere += oldest.amount
    else this.balance -= oldest.amount
    this.wallets.committed(accountId, oldest.amount)
  }

  answerClaim(found: boolean): void {
    if (this.claims === 0) return
    this.claims--
    const share = this.balance - this.elsewhere
    this.wallets.claimed(
      accountId,
      found ? { accountId, share, elsewhere: this.elsewhere, active: true } : undefined
    )
  }

  giveBack(lacking: bigint): void {
    const before = this.available
    const amount = this.wallets.giveBack(accountId, lacking)
    if (amount === 0n) return
    assert.isTrue(amount <= before)
    this.uncommitted.push({ amount, givenBack: true })
  }

  step(step: typeof Step.Type): void {
    this.nowMs++
    switch (step._tag) {
      case "hold":
        return this.take("Hold", step.call, BigInt(step.amount))
      case "extend":
        return this.take("Extend", step.call, BigInt(step.amount))
      case "settle":
        return this.settle(step.call, BigInt(step.amount))
      case "take":
        return this.takeByItself(step.call, BigInt(step.amount))
      case "allow":
        return this.allow()
      case "threadDies":
        return this.threadDies()
      case "release":
        this.#adopt(step.call as CallId)
        this.holds.delete(step.call as CallId)
        return this.wallets.release(accountId, step.call as CallId)
      case "commit":
        return this.commit()
      case "answerClaim":
        return this.answerClaim(true)
      case "failClaim":
        return this.answerClaim(false)
      case "invalidate":
        return this.wallets.invalidate(accountId)
      case "putAway":
        return void this.wallets.putAwayIdle(this.nowMs)
      case "credit":
        this.balance += BigInt(step.amount)
        return
      case "giveBack":
        return this.giveBack(BigInt(step.amount))
    }
  }
}
