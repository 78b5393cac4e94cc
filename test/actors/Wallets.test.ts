/** Wallets in memory against a plain model of the database: whatever comes in between, never more is granted than there is. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Allowance } from "../../src/actors/allowances.ts"
import { Wallets } from "../../src/actors/Wallets.ts"
import type { AccountId, CallId } from "../../src/domain/ids.ts"

const Amount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))
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
const Steps = Schema.Array(Step).check(Schema.isMinLength(40), Schema.isMaxLength(150))

const accountId = "acc_1" as AccountId

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

class Model {
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

describe("wallets in memory", () => {
  it.prop(
    "never grant more than there is, whatever comes between",
    [Amount, Steps],
    ([balance, steps]) => {
      const model = new Model(BigInt(balance) * 4n)
      for (const step of steps) model.step(step)
      assert.strictEqual(model.wallets.heldBy(accountId), model.held)
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "answer everyone in the end, and then grant all there is",
    [Amount, Steps],
    ([balance, steps]) => {
      const model = new Model(BigInt(balance) * 4n)
      for (const step of steps) model.step(step)
      while (model.uncommitted.length > 0) model.commit()
      while (model.claims > 0) model.answerClaim(true)
      assert.strictEqual(model.answers, model.asked)
      const left = model.available
      model.wallets.invalidate(accountId)
      let granted = 0n
      const command = { _tag: "Hold" as const, callId: "last" as CallId, minimum: 1n, wanted: 10_000n }
      model.wallets.ask(accountId, command, model.nowMs, (answer) => {
        if (answer._tag === "Held") granted = answer.granted
      })
      model.answerClaim(true)
      assert.strictEqual(granted, left > 0n ? left : 0n)
    },
    { arbitrary: { runs: 300 } }
  )

  it("give back what is lacking, at least half of what is free, and never what is held", () => {
    const model = new Model(100n)
    model.take("Hold", "a", 30n)
    model.answerClaim(true)
    assert.strictEqual(model.wallets.heldBy(accountId), 40n)
    assert.strictEqual(model.wallets.giveBack(accountId, 5n), 30n)
    assert.strictEqual(model.wallets.giveBack(accountId, 20n), 20n)
    assert.strictEqual(model.wallets.giveBack(accountId, 1_000n), 10n)
    assert.strictEqual(model.wallets.giveBack(accountId, 1n), 0n)
    assert.strictEqual(model.wallets.heldBy(accountId), 40n)
  })

  it("forget what a thread that has died was allowed, also when it had used up all of it", () => {
    const model = new Model(33n)
    model.take("Hold", "a", 1n)
    model.answerClaim(true)
    model.allow()
    const { allowance, thread } = model
    model.takeByItself("b", allowance!.free)
    model.take("Hold", "c", 11n)
    model.settle("b", 1n)
    assert.strictEqual(allowance!.free, 0n)
    model.threadDies()
    model.thread = thread
    model.allow()
    assert.notStrictEqual(model.allowance, allowance)
  })

  it("read a wallet again before they refuse, so that a top-up counts from the next call", () => {
    const model = new Model(10n)
    model.take("Hold", "a", 10n)
    model.answerClaim(true)
    model.balance += 50n
    model.take("Hold", "b", 30n)
    model.answerClaim(true)
    assert.isTrue(model.holds.has("b" as CallId))
  })

  it("admit nothing of an account that is disabled, and go on with it once it is enabled", () => {
    const wallets = new Wallets({ claim: () => {}, mailboxCapacity: 4 })
    const answers: Array<string> = []
    const ask = (call: string) => {
      const command = { _tag: "Hold" as const, callId: call as CallId, minimum: 1n, wanted: 1n }
      wallets.ask(accountId, command, 0, (answer) => answers.push(answer._tag))
    }
    const claimed = (active: boolean) =>
      wallets.claimed(accountId, { accountId, share: 10n, elsewhere: 0n, active })
    ask("a")
    claimed(false)
    ask("b")
    claimed(true)
    assert.deepStrictEqual(answers, ["Disabled", "Held"])
  })
})
