/** Wallets in memory against a plain model of the database: whatever comes in between, never more is granted than there is. */
import { assert, describe, it } from "@effect/vitest"
import { Wallets } from "../../src/actors/Wallets.ts"
import type { CallId } from "../../src/domain/ids.ts"
import { accountId, Amount, Steps, WalletModel } from "./WalletModel.ts"

describe("wallets in memory", () => {
  it.prop(
    "never grant more than there is, whatever comes between",
    [Amount, Steps],
    ([balance, steps]) => {
      const model = new WalletModel(BigInt(balance) * 4n)
      for (const step of steps) model.step(step)
      assert.strictEqual(model.wallets.heldBy(accountId), model.held)
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "answer everyone in the end, and then grant all there is",
    [Amount, Steps],
    ([balance, steps]) => {
      const model = new WalletModel(BigInt(balance) * 4n)
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
    const model = new WalletModel(100n)
    model.take("Hold", "a", 30n)
    model.answerClaim(true)
    assert.strictEqual(model.wallets.heldBy(accountId), 40n)
    assert.strictEqual(model.wallets.giveBack(accountId, 5n), 30n)
    assert.strictEqual(model.wallets.giveBack(accountId, 20n), 20n)
    assert.strictEqual(model.wallets.giveBack(accountId, 1_000n), 10n)
    assert.strictEqual(model.wallets.giveBack(accountId, 1n), 0n)
    assert.strictEqual(model.wallets.heldBy(accountId), 40n)
  })

  it("give back the greater half where what is free is odd", () => {
    const model = new WalletModel(25n)
    model.take("Hold", "a", 8n)
    model.answerClaim(true)
    const free = model.wallets.availableOf(accountId)
    assert.strictEqual(free % 2n, 1n)
    assert.strictEqual(model.wallets.giveBack(accountId, 1n), free / 2n + 1n)
  })

  it("forget what a thread that has died was allowed, also when it had used up all of it", () => {
    const model = new WalletModel(33n)
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
    const model = new WalletModel(10n)
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

  it("let calls under way of an account that has been disabled go on", () => {
    const wallets = new Wallets({ claim: () => {}, mailboxCapacity: 4 })
    const answers: Array<string> = []
    const ask = (tag: "Hold" | "Extend", call: string) => {
      const command = { _tag: tag, callId: call as CallId, minimum: 1n, wanted: 1n }
      wallets.ask(accountId, command, 0, (answer) => answers.push(answer._tag))
    }
    const claimed = (active: boolean) =>
      wallets.claimed(accountId, { accountId, share: 10n, elsewhere: 0n, active })
    ask("Hold", "a")
    claimed(true)
    wallets.invalidate(accountId)
    ask("Hold", "b")
    claimed(false)
    ask("Extend", "a")
    assert.deepStrictEqual(answers, ["Held", "Disabled", "Held"])
  })
})
