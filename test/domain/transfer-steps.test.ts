import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { decideStep, type StepState, type TransferStep } from "../../src/domain/transfer-steps.ts"

const Step = Schema.Union([
  Schema.TaggedStruct("Assign", {}),
  Schema.TaggedStruct("TakeBack", {}),
  Schema.TaggedStruct("Return", { reference: Schema.Literals(["", "FT1", "FT2"]) }),
  Schema.TaggedStruct("Dismiss", {}),
  Schema.TaggedStruct("Reopen", {})
])

const waiting: StepState = { status: "unmatched", returnReference: "" }
const after = (steps: ReadonlyArray<TransferStep>) => {
  let state = waiting
  let credits = 0
  for (const step of steps) {
    const next = decideStep(state, step)
    if (typeof next === "string") continue
    if (next.status === "credited") credits += 1
    if (state.status === "credited") credits -= 1
    state = next
  }
  return { state, credits }
}

describe("steps of an operator", () => {
  it("are none of a transfer that was never for crediting, as one that went out", () => {
    const ignored: StepState = { status: "ignored", returnReference: "" }
    for (const step of [
      { _tag: "Assign" },
      { _tag: "TakeBack" },
      { _tag: "Return", reference: "FT1" },
      { _tag: "Dismiss" },
      { _tag: "Reopen" }
    ] as const)
      assert.strictEqual(decideStep(ignored, step), "assigned")
  })

  it.prop("credit a transfer once at most, until it is taken back", [Schema.Array(Step)], ([steps]) => {
    const { credits, state } = after(steps)
    assert.strictEqual(credits, state.status === "credited" ? 1 : 0)
  })

  it.prop("change nothing when they are repeated", [Schema.Array(Step), Step], ([steps, step]) => {
    const once = after([...steps, step]).state
    assert.deepStrictEqual(after([...steps, step, step]).state, once)
  })

  it.prop(
    "name the transfer that gave it back only where it is returned",
    [Schema.Array(Step)],
    ([steps]) => {
      const { state } = after(steps)
      assert.strictEqual(state.status === "returned", state.returnReference !== "")
    }
  )

  it.each<readonly [string, ReadonlyArray<TransferStep>, TransferStep, ReturnType<typeof decideStep>]>([
    [
      "return, then told how",
      [{ _tag: "Return", reference: "" }],
      { _tag: "Return", reference: "FT1" },
      { status: "returned", returnReference: "FT1" }
    ],
    [
      "return by another transfer",
      [{ _tag: "Return", reference: "FT1" }],
      { _tag: "Return", reference: "FT2" },
      "settled"
    ],
    [
      "return by the same transfer",
      [{ _tag: "Return", reference: "FT1" }],
      { _tag: "Return", reference: "FT1" },
      "same"
    ],
    ["credit of what is to be returned", [{ _tag: "Return", reference: "" }], { _tag: "Assign" }, "settled"],
    ["credit of what was dismissed", [{ _tag: "Dismiss" }], { _tag: "Assign" }, "settled"],
    ["return of what was dismissed", [{ _tag: "Dismiss" }], { _tag: "Return", reference: "" }, "settled"],
    ["return of what is credited", [{ _tag: "Assign" }], { _tag: "Return", reference: "FT1" }, "assigned"],
    ["reopening of what is credited", [{ _tag: "Assign" }], { _tag: "Reopen" }, "assigned"],
    ["taking back", [{ _tag: "Assign" }], { _tag: "TakeBack" }, waiting],
    ["taking back a second time", [{ _tag: "Assign" }, { _tag: "TakeBack" }], { _tag: "TakeBack" }, "same"],
    [
      "taking back of what was returned",
      [{ _tag: "Return", reference: "" }],
      { _tag: "TakeBack" },
      "settled"
    ],
    ["reopening of what was returned", [{ _tag: "Return", reference: "FT1" }], { _tag: "Reopen" }, waiting]
  ])("answer a %s", (_, former, step, expected) => {
    assert.deepStrictEqual(decideStep(after(former).state, step), expected)
  })
})
