/** Amounts on the command line: by people, and by programs, which ask for JSON. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { ExactAmounts, joinNegativeAmounts, momentOf, readAmount } from "../../src/cli/flags.ts"

const read = (text: string, exact: boolean) =>
  Effect.runSyncExit(readAmount("amount", text).pipe(Effect.provideService(ExactAmounts, exact)))

describe("an amount on the command line", () => {
  it.each([
    ["500000", 500_000_000_000n, 500_000_000_000n],
    ["500.000", 500_000_000_000n, undefined],
    ["-500.000", -500_000_000_000n, undefined],
    ["500.0000", 500_000_000n, 500_000_000n],
    ["0.830", undefined, 830_000n],
    ["12.345", undefined, 12_345_000n],
    ["-12.5", -12_500_000n, -12_500_000n],
    ["500k", 500_000_000_000n, undefined],
    ["500,000", 500_000_000_000n, undefined],
    ["1.0000001", undefined, undefined],
    ["", undefined, undefined]
  ])("%j is read as people write it, and as an exact decimal beside --json", (text, typed, exact) => {
    for (const [amount, isExact] of [
      [typed, false],
      [exact, true]
    ] as const) {
      const outcome = read(text, isExact)
      assert.deepStrictEqual(outcome._tag === "Success" ? outcome.value : undefined, amount)
    }
  })

  it("says what is wanted in its place", () => {
    assert.match(String(Exit.getCause(read("12.345", false))), /12345 for thousands, or 12\.3450/)
    assert.match(String(Exit.getCause(read("500k", true))), /decimal number/)
  })
})

describe("a negative amount after its flag", () => {
  it.each(["-500k", "-1,5tr", "-1.000.000", "-0,5", "-.5", "-500000"])("%s is the flag's value", (amount) => {
    assert.deepStrictEqual(joinNegativeAmounts(["wallet", "credit", "--amount", amount, "--reason", "r"]), [
      "wallet",
      "credit",
      `--amount=${amount}`,
      "--reason",
      "r"
    ])
  })

  it.each([
    [["wallet", "show", "-h"]],
    [["price", "set", "claude-opus-5", "-1"]],
    [["wallet", "credit", "--amount=-500k", "-5"]],
    [["wallet", "credit", "--amount", "500k"]]
  ])("%j stays as it is", (args) => {
    assert.deepStrictEqual(joinNegativeAmounts(args), args)
  })
})

describe("a moment on the command line", () => {
  it.each([
    ["2026-12-31T23:59:59+07:00", "2026-12-31T16:59:59.000Z"],
    ["2026-12-31T23:59Z", "2026-12-31T23:59:00.000Z"],
    // As programs write one.
    ["2026-12-31T23:59:59.250Z", "2026-12-31T23:59:59.250Z"],
    ["2026-12-31", undefined],
    ["2026-12-31T23:59:59", undefined],
    ["2026-02-30T00:00:00Z", undefined],
    ["now", undefined]
  ])("%j is read with its zone, and only where there is such a day", (text, at) => {
    assert.strictEqual(Option.getOrUndefined(momentOf(text))?.toISOString(), at)
  })
})
