/** A wallet, whatever is done with it and in whatever order. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { CallId } from "../../src/domain/ids.ts"
import {
  available,
  costMax,
  decide,
  emptyWallet,
  evolve,
  perform,
  type Wallet,
  type WalletCommand,
  type WalletDecision
} from "../../src/domain/wallet.ts"

// Small numbers and few calls, so that commands meet one another.
const Amount = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))
const Call = Schema.Literals(["a", "b", "c"])
const Thread = Schema.Literals([1, 2])
const Command = Schema.Union([
  Schema.Struct({ _tag: Schema.Literals(["Hold", "Extend"]), call: Call, minimum: Amount, more: Amount }),
  Schema.TaggedStruct("Settle", { call: Call, cost: Amount }),
  Schema.TaggedStruct("Release", { call: Call }),
  Schema.Struct({ _tag: Schema.Literals(["Allow", "TakeBack"]), thread: Thread, amount: Amount }),
  Schema.TaggedStruct("Adopt", { thread: Thread, call: Call, amount: Amount })
])
const Commands = Schema.Array(Command).check(Schema.isMinLength(20), Schema.isMaxLength(60))

const toCommand = (command: typeof Command.Type): WalletCommand => {
  switch (command._tag) {
    case "Allow":
    case "TakeBack":
      return { ...command, amount: BigInt(command.amount) }
    case "Adopt":
      return {
        _tag: "Adopt",
        thread: command.thread,
        callId: command.call as CallId,
        amount: BigInt(command.amount)
      }
    case "Settle":
      return { _tag: "Settle", callId: command.call as CallId, cost: BigInt(command.cost) }
    case "Release":
      return { _tag: "Release", callId: command.call as CallId }
    default: {
      const minimum = BigInt(command.minimum)
      const wanted = minimum + BigInt(command.more)
      return { _tag: command._tag, callId: command.call as CallId, minimum, wanted }
    }
  }
}

interface Step {
  readonly before: Wallet
  readonly command: WalletCommand
  readonly decision: WalletDecision
  readonly after: Wallet
}

const copyOf = (wallet: Wallet): Wallet => ({
  ...wallet,
  holds: new Map(wallet.holds),
  allowed: new Map(wallet.allowed)
})

const play = (funds: number, commands: typeof Commands.Type): ReadonlyArray<Step> => {
  const wallet = emptyWallet(BigInt(funds))
  return commands.map((each) => {
    const before = copyOf(wallet)
    const command = toCommand(each)
    const decision = decide(wallet, command)
    assert.deepStrictEqual(wallet, before, "a decision changes nothing by itself")
    evolve(wallet, decision)
    return { before, command, decision, after: copyOf(wallet) }
  })
}
const stepsOf = (steps: ReadonlyArray<Step>, tag: WalletDecision["_tag"]) =>
  steps.filter(({ decision }) => decision._tag === tag)

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n)

describe("a wallet", () => {
  it.prop(
    "holds exactly what its open calls hold and its threads are allowed, and none of them less than nothing",
    [Amount, Commands],
    ([funds, commands]) => {
      for (const { after } of play(funds, commands)) {
        const parts = [...after.holds.values(), ...after.allowed.values()]
        assert.strictEqual(after.held, sum(parts))
        for (const part of parts) assert.isTrue(part >= 0n)
      }
    }
  )

  it.prop(
    "grants no more than is available, no more than is wanted and no less than the minimum",
    [Amount, Commands],
    ([funds, commands]) => {
      for (const { before, command, decision } of play(funds, commands)) {
        if (decision._tag !== "Held" || decision.granted === 0n) continue
        if (command._tag !== "Hold" && command._tag !== "Extend") return assert.fail("only these hold")
        assert.isTrue(decision.granted <= available(before))
        assert.isTrue(decision.granted <= command.wanted)
        assert.isTrue(decision.granted >= command.minimum)
      }
    }
  )

  it.prop(
    "refuses when nothing or less than the minimum is available, and only then",
    [Amount, Commands],
    ([funds, commands]) => {
      for (const { before, command, decision } of stepsOf(play(funds, commands), "Held")) {
        if (command._tag !== "Hold" && command._tag !== "Extend") return assert.fail("only these hold")
        if (command._tag === "Hold" && before.holds.has(command.callId)) continue
        assert.isTrue(available(before) > 0n && available(before) >= command.minimum, decision._tag)
      }
      for (const { after, before, command, decision } of stepsOf(play(funds, commands), "Insufficient")) {
        if (command._tag !== "Hold" && command._tag !== "Extend") {
          assert.strictEqual(command._tag, "Allow")
          continue
        }
        assert.isTrue(available(before) <= 0n || available(before) < command.minimum)
        assert.deepStrictEqual(decision, { _tag: "Insufficient", available: available(before) })
        assert.deepStrictEqual(after, before)
      }
    }
  )

  it.prop(
    "never goes below zero while every call costs what it held at most",
    [Amount, Commands],
    ([funds, commands]) => {
      const wallet = emptyWallet(BigInt(funds))
      for (const each of commands) {
        const command = toCommand(each)
        const held = command._tag === "Settle" ? (wallet.holds.get(command.callId) ?? 0n) : 0n
        const within = command._tag === "Settle" && command.cost > held ? { ...command, cost: held } : command
        evolve(wallet, decide(wallet, within))
        assert.isTrue(wallet.funds >= 0n)
        assert.isTrue(available(wallet) >= 0n)
      }
    }
  )

  it.prop(
    "goes below zero by no more than costs exceeded their holds, all of it counted",
    [Amount, Commands],
    ([funds, commands]) => {
      let exceeded = 0n
      let overdraft = 0n
      for (const { after, before, command, decision } of play(funds, commands)) {
        if (command._tag === "Settle" && decision._tag === "Settled") {
          const beyond = command.cost - before.holds.get(command.callId)!
          if (beyond > 0n) exceeded += beyond
          assert.isTrue(decision.overdraft >= 0n)
          overdraft += decision.overdraft
        }
        // Nothing adds to these funds, so all that is below zero has been counted, to the micro-dong.
        assert.strictEqual(overdraft, after.funds < 0n ? -after.funds : 0n)
        assert.isTrue(overdraft <= exceeded)
      }
    }
  )

  it.prop("charges exactly what is settled, and each call once", [Amount, Commands], ([funds, commands]) => {
    const steps = play(funds, commands)
    const last = steps.at(-1)?.after ?? emptyWallet(BigInt(funds))
    const costs = steps.map(({ decision }) => (decision._tag === "Settled" ? decision.cost : 0n))
    assert.strictEqual(last.funds, BigInt(funds) - sum(costs))
    for (const { before, command, decision } of steps) {
      if (command._tag !== "Settle") continue
      assert.strictEqual(decision._tag, before.holds.has(command.callId) ? "Settled" : "NotHeld")
    }
  })

  it.prop("holding twice is holding once", [Amount, Commands], ([funds, commands]) => {
    for (const { after, command, decision } of stepsOf(play(funds, commands), "Held")) {
      if (command._tag !== "Hold" || decision._tag !== "Held") continue
      const again = decide(after, command)
      assert.deepStrictEqual(again, { ...decision, granted: 0n })
      const same = copyOf(after)
      evolve(same, again)
      assert.deepStrictEqual(same, after)
    }
  })

  it.prop("settling or releasing twice is doing it once", [Amount, Commands], ([funds, commands]) => {
    for (const { after, command, decision } of play(funds, commands)) {
      if (decision._tag !== "Settled" && decision._tag !== "Released") continue
      assert.deepStrictEqual(decide(after, command), { _tag: "NotHeld" })
    }
  })

  it.prop("extends only what holds something, and adds to it", [Amount, Commands], ([funds, commands]) => {
    for (const { after, before, command, decision } of play(funds, commands)) {
      if (command._tag !== "Extend") continue
      const already = before.holds.get(command.callId)
      if (already === undefined) assert.deepStrictEqual(decision, { _tag: "NotHeld" })
      else if (decision._tag === "Held") {
        assert.strictEqual(decision.amount, already + decision.granted)
        assert.strictEqual(after.holds.get(command.callId), decision.amount)
      } else assert.strictEqual(decision._tag, "Insufficient")
    }
  })

  it.prop(
    "allows all of an amount or nothing, and only what is available",
    [Amount, Commands],
    ([funds, commands]) => {
      for (const { after, before, command, decision } of play(funds, commands)) {
        if (command._tag !== "Allow") continue
        const fits = command.amount > 0n && command.amount <= available(before)
        assert.strictEqual(decision._tag, fits ? "Allowed" : "Insufficient")
        assert.strictEqual(available(after), available(before) - (fits ? command.amount : 0n))
      }
    }
  )

  it.prop(
    "moves a call's hold out of its thread's allowance, once, and changes nothing that is available",
    [Amount, Commands],
    ([funds, commands]) => {
      for (const { after, before, command, decision } of play(funds, commands)) {
        if (command._tag !== "Adopt") continue
        assert.strictEqual(available(after), available(before))
        if (decision._tag === "NotHeld") continue
        const allowed = (wallet: Wallet) => wallet.allowed.get(command.thread) ?? 0n
        assert.strictEqual(allowed(after), allowed(before) - command.amount)
        assert.strictEqual(after.holds.get(command.callId), command.amount)
        assert.deepStrictEqual(decide(after, command), { _tag: "NotHeld" })
      }
    }
  )

  it.prop("takes back what it is told, at most what is allowed", [Amount, Commands], ([funds, commands]) => {
    for (const { after, before, command } of play(funds, commands)) {
      if (command._tag !== "TakeBack") continue
      const allowed = before.allowed.get(command.thread) ?? 0n
      const taken = command.amount < allowed ? command.amount : allowed
      assert.strictEqual(after.allowed.get(command.thread) ?? 0n, allowed - taken)
      assert.strictEqual(available(after), available(before) + taken)
    }
  })

  it.prop("releasing all gives back all", [Amount, Commands], ([funds, commands]) => {
    const wallet = copyOf(play(funds, commands).at(-1)?.after ?? emptyWallet(BigInt(funds)))
    for (const callId of wallet.holds.keys()) evolve(wallet, decide(wallet, { _tag: "Release", callId }))
    for (const [thread, amount] of wallet.allowed) {
      evolve(wallet, decide(wallet, { _tag: "TakeBack", thread, amount }))
    }
    assert.strictEqual(wallet.held, 0n)
    assert.strictEqual(wallet.holds.size, 0)
    assert.strictEqual(available(wallet), wallet.funds)
  })

  it.prop(
    "leaves a call unpaid that would cost more than can be, and frees what it holds",
    [Amount, Commands],
    ([funds, commands]) => {
      const wallet = copyOf(play(funds, commands).at(-1)?.after ?? emptyWallet(BigInt(funds)))
      const before = wallet.funds
      for (const callId of wallet.holds.keys()) {
        const decision = perform(wallet, { _tag: "Settle", callId, cost: costMax + 1n })
        assert.deepStrictEqual(decision, { _tag: "Unpaid", callId })
      }
      assert.strictEqual(wallet.holds.size, 0)
      assert.strictEqual(wallet.held, sum(wallet.allowed.values()))
      assert.strictEqual(wallet.funds, before)
    }
  )
})
