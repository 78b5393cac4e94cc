import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { KeyRules } from "../../src/domain/key-settings.ts"
import { admit, mayBegin } from "../../src/gateway/admission.ts"
import type { Call, IdentifiedCall } from "../../src/gateway/Call.ts"
import type { GatewayShape } from "../../src/gateway/Gateway.ts"
import { refusalByRules } from "../../src/gateway/key-rules.ts"
import type { LedgerClient } from "../../src/ledger/bridge/LedgerClient.ts"
import type { Admission } from "../../src/ledger/bridge/protocol.ts"
import { claudeModel } from "../wire/models.ts"

const none: KeyRules = { models: undefined, endpoints: undefined, allowedIps: undefined }
const refusal = (rules: Partial<KeyRules>, address = "203.0.113.7", others: ReadonlyArray<string> = []) => {
  const call = { client: { address }, endpoint: "messages", model: claudeModel(), others } as unknown as Call
  return refusalByRules({ ...none, ...rules }, call)
}

describe("a call that is admitted by its wallet", () => {
  const admitted = (
    rules: KeyRules | undefined,
    answer: Admission = { _tag: "Admitted", granted: 5n, rules }
  ) => {
    const call = { client: { address: "" }, endpoint: "messages", model: claudeModel(), others: [] }
    const ledger = {
      admitUnsafe: () => Exit.succeed(answer),
      checkFunds: () => Exit.succeed(answer)
    } as unknown as LedgerClient
    const gateway = { ledger, models: { settings: () => ({ publicUrl: "" }) } } as unknown as GatewayShape
    const identified = call as unknown as IdentifiedCall
    const demand = { minimum: 5n, wanted: 5n }
    return [
      Effect.runSyncExit(admit(gateway, identified, demand)),
      Effect.runSyncExit(mayBegin(gateway, identified))
    ]
  }

  it("keeps to what is set on its key by then, before it holds and when it does", () => {
    assert.deepStrictEqual(admitted(undefined), [Exit.succeed(5n), Exit.succeed(undefined)])
    assert.deepStrictEqual(admitted(none), [Exit.succeed(5n), Exit.succeed(undefined)])
    for (const exit of admitted({ ...none, endpoints: ["responses"] }))
      assert.include(String(exit), "may not be used for messages")
  })

  it("is none where the wallet has too little", () => {
    const exits = admitted(undefined, { _tag: "Insufficient" })
    assert.deepStrictEqual(
      exits.map((exit) => exit._tag),
      ["Failure", "Failure"]
    )
  })
})

describe("what is set on a key", () => {
  it("forbids nothing where nothing is", () => {
    assert.isUndefined(refusal({}))
  })

  it.each([
    ["203.0.113.7", ["203.0.113.0/24"], true],
    ["::ffff:203.0.113.7", ["203.0.113.0/24"], true],
    ["203.0.114.7", ["203.0.113.0/24", "10.0.0.0/8"], false],
    ["2001:db8:1::1", ["2001:db8::/32"], true],
    ["2001:db9::1", ["2001:db8::/32", "0.0.0.0/0"], false],
    ["203.0.113.7", ["::/0"], false],
    ["", ["0.0.0.0/0", "::/0"], false]
  ] as const)("lets %s in by %j: %s", (address, allowedIps, allowed) => {
    const found = refusal({ allowedIps }, address)
    assert.strictEqual(found === undefined, allowed)
    if (found !== undefined) assert.include(found.message, allowedIps.join(", "))
  })

  it("names the endpoints that are allowed", () => {
    const found = refusal({ endpoints: ["chat_completions", "responses"] })
    assert.deepStrictEqual([found?.status, found?.type], [403, "permission_error"])
    assert.include(found?.message, "chat_completions, responses")
    assert.isUndefined(refusal({ endpoints: ["messages"] }))
  })

  it("names the models that are allowed", () => {
    const found = refusal({ models: ["gpt-*"] })
    assert.deepStrictEqual([found?.status, found?.param], [403, "model"])
    assert.include(found?.message, "gpt-*")
  })

  it("holds for the models that help the called one, too", () => {
    const rules = { models: ["a-model", "claude-*"] }
    const found = refusal(rules, "203.0.113.7", ["claude-opus-5", "gpt-5.5"])
    assert.strictEqual(found?.status, 403)
    assert.include(found?.message, "may not call gpt-5.5")
    assert.isUndefined(refusal(rules, "203.0.113.7", ["claude-opus-5"]))
  })
})
