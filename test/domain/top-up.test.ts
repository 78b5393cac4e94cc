import { assert, describe, it } from "@effect/vitest"
import type { AccountId } from "../../src/domain/ids.ts"
import { judgeTransfer, readTopUpAmount, type TopUpOrder, transferMax } from "../../src/domain/top-up.ts"

const order: TopUpOrder = {
  id: "top_1",
  accountId: "acc_1" as AccountId,
  code: "ST",
  amount: 100_000_000_000n,
  status: "pending",
  expiresAtMs: 1_000
}
const arrival = { direction: "in" as const, amount: 100_000_000_000n, bankAccounts: ["0123 456-789"] }

const judge = (
  change: Partial<typeof arrival> | { direction: "out" },
  orders = [order],
  nowMs = 0,
  ourAccount = "0123456789"
) =>
  judgeTransfer(
    { ...arrival, ...change },
    { ourAccount, orders, isAccountClosed: false, isToldOtherwise: false, nowMs }
  )

describe("what a transfer means", () => {
  it.each([
    ["the exact amount", {}, undefined, undefined, []],
    ["too little", { amount: 1n }, undefined, undefined, ["amount_differs"]],
    ["too much", { amount: 200_000_000_000n }, undefined, undefined, ["amount_differs"]],
    ["at the very end of the page", {}, undefined, 1_000, []],
    ["after the page expired", {}, undefined, 2_000, ["late_or_extra"]],
    ["for a paid order", {}, [{ ...order, status: "paid" as const }], undefined, ["late_or_extra"]]
  ])("credits %s", (_, change, orders, nowMs, flags) => {
    assert.deepStrictEqual(judge(change, orders, nowMs), {
      _tag: "Credited",
      order: orders?.[0] ?? order,
      flags: flags as ReadonlyArray<"amount_differs" | "late_or_extra">
    })
  })

  it.each([
    ["no order", { _tag: "Unmatched", note: "no_order" }, {}, []],
    ["two orders", { _tag: "Unmatched", note: "several_orders" }, {}, [order, order]],
    ["money that left", { _tag: "Ignored", note: "outgoing" }, { direction: "out" as const }, [order]],
    ["another account", { _tag: "Ignored", note: "other_account" }, { bankAccounts: ["999"] }, []],
    [
      "an order's other account",
      { _tag: "Unmatched", note: "other_account" },
      { bankAccounts: ["999"] },
      [order]
    ],
    ["nothing", { _tag: "Ignored", note: "no_amount" }, { amount: 0n }, [order]]
  ])("never credits %s", (_, verdict, change, orders) => {
    assert.deepStrictEqual(judge(change as Partial<typeof arrival>, orders) as unknown, verdict)
  })

  it("credits nobody with what was told of before under another id", () => {
    const told = {
      ourAccount: "0123456789",
      orders: [order],
      isAccountClosed: false,
      isToldOtherwise: true,
      nowMs: 0
    }
    assert.deepStrictEqual(judgeTransfer(arrival, told), { _tag: "Unmatched", note: "told_otherwise" })
  })

  it("credits no account that its owner has closed", () => {
    const closed = {
      ourAccount: "0123456789",
      orders: [order],
      isAccountClosed: true,
      isToldOtherwise: false,
      nowMs: 0
    }
    assert.deepStrictEqual(judgeTransfer(arrival, closed), { _tag: "Unmatched", note: "account_closed" })
  })

  it("credits what is known to have come to our account, whatever account is named", () => {
    const ours = {
      ourAccount: undefined,
      orders: [order],
      isAccountClosed: false,
      isToldOtherwise: false,
      nowMs: 0
    }
    for (const bankAccounts of [[], ["999"]])
      assert.strictEqual(judgeTransfer({ ...arrival, bankAccounts }, ours)._tag, "Credited")
  })

  it("credits the most that a transfer may bring, and nobody with more", () => {
    assert.strictEqual(judge({ amount: transferMax })._tag, "Credited")
    assert.deepStrictEqual(judge({ amount: transferMax + 1n }), {
      _tag: "Unmatched",
      note: "amount_beyond_belief"
    })
  })

  it("takes a transfer to the virtual account for one to the account", () => {
    assert.strictEqual(judge({ bankAccounts: ["999", "0123456789"] })._tag, "Credited")
    assert.strictEqual(judge({ bankAccounts: ["vqr 01x"] }, [order], 0, "VQR01X")._tag, "Credited")
  })
})

describe("amounts", () => {
  it("are whole dong from 50,000 to 500,000,000", () => {
    assert.deepStrictEqual(readTopUpAmount(50_000), { amount: 50_000_000_000n })
    assert.deepStrictEqual(readTopUpAmount(500_000_000), { amount: 500_000_000_000_000n })
    assert.deepStrictEqual(readTopUpAmount(49_999), { problem: "too_small" })
    assert.deepStrictEqual(readTopUpAmount(-50_000), { problem: "too_small" })
    assert.deepStrictEqual(readTopUpAmount(500_000_001), { problem: "too_large" })
    for (const amount of [50_000.5, Number.NaN, "50000", null, undefined, 1e300]) {
      assert.deepStrictEqual(readTopUpAmount(amount), { problem: "not_a_number" })
    }
  })
})
