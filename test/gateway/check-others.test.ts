/** Models that a request has help the called one: which they are, and that those off the list are there for nobody. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import records from "../../src/domain/catalogue.json" with { type: "json" }
import { Catalogue } from "../../src/domain/catalogue.ts"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import { hostedToolsOf } from "../../src/formats/particulars/hosted-tools.ts"
import { Call } from "../../src/gateway/Call.ts"
import { checkOthers } from "../../src/gateway/check-others.ts"
import type { Client } from "../../src/gateway/Client.ts"

const check = (fallbacks: ReadonlyArray<string>, advisor?: string, withdrawn: ReadonlyArray<string> = []) => {
  const sold = new Catalogue(records, {}, (model) => (withdrawn.includes(model.id) ? undefined : model))
  const call = new Call({} as Client, "messages", 0)
    .identify({ accountId: "acc" as AccountId, keyId: "key" as KeyId, secret: 0 })
    .resolve({ model: sold.get("claude-sonnet-5")!, mappedFrom: undefined }, sold)
  const tools = advisor === undefined ? [] : [{ type: "advisor_20260301", name: "advisor", model: advisor }]
  const exit = Effect.runSyncExit(checkOthers(call, { fallbacks, hostedTools: hostedToolsOf({ tools }) }))
  const refusal = Exit.isFailure(exit) ? exit.cause.reasons.find(Cause.isFailReason)?.error : undefined
  return { others: call.others, refusal }
}

describe("the other models of a request", () => {
  it("are those that tools ask and that may answer instead, by what they are called here", () => {
    assert.deepStrictEqual(check(["claude-fable-5"], "claude-opus-5-20260301").others, [
      "claude-fable-5",
      "claude-opus-5"
    ])
    assert.deepStrictEqual(check(["claude-of-tomorrow"]).others, ["claude-of-tomorrow"])
    assert.deepStrictEqual(check(["claude-sonnet-5"], "claude-sonnet-5").others, [])
    assert.deepStrictEqual(check([]).others, [])
  })

  it("are refused where one is off the list, though another channel sells it", () => {
    for (const found of [
      check(["claude-opus-5"], undefined, ["claude-opus-5"]),
      check([], "claude-opus-5-20260301", ["claude-opus-5"])
    ]) {
      assert.deepStrictEqual([found.refusal?.status, found.refusal?.code], [404, "model_not_found"])
      assert.include(found.refusal?.message, "claude-opus-5")
    }
    assert.isUndefined(check(["claude-opus-5"], undefined, ["claude-fable-5", "svc/claude-opus-5"]).refusal)
  })
})
