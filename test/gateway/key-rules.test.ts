import { assert, describe, it } from "@effect/vitest"
import type { KeyRules } from "../../src/domain/key-settings.ts"
import type { Call } from "../../src/gateway/Call.ts"
import { refusalByRules } from "../../src/gateway/key-rules.ts"
import { claudeModel } from "../wire/models.ts"

const none: KeyRules = { models: undefined, endpoints: undefined, allowedIps: undefined }
const refusal = (rules: Partial<KeyRules>, address = "203.0.113.7", others: ReadonlyArray<string> = []) => {
  const call = { client: { address }, endpoint: "messages", model: claudeModel(), others } as unknown as Call
  return refusalByRules({ ...none, ...rules }, call)
}

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
