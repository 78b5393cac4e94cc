/** The audit log speaks of what was done in words. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { actor } from "../../src/cli/flags.ts"
import { english } from "../../src/dashboard/web/text/audit-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/audit-vi.ts"
import { auditActions } from "../../src/domain/audit-actions.ts"
import { detailOf, type KeySettings } from "../../src/storage/keys/key-columns.ts"
import { marginFloor } from "../../src/storage/SettingsStore.ts"

const languages = [
  ["Vietnamese", vietnamese],
  ["English", english]
] as const

const settings: KeySettings = {
  name: "a",
  rateLimitPerMinute: 1,
  budget: { amount: 1n, period: "day" },
  models: ["a"],
  endpoints: ["messages"],
  allowedIps: ["10.0.0.0/8"],
  expiresAt: new Date(0),
  paused: true
}

describe("the audit log", () => {
  it("knows each action that the program writes down, and no other", () => {
    const written = globSync("src/{storage,accounts,dashboard/api}/**/*.ts").flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\baction: (.*)/g)].flatMap(([, told = ""]) =>
        [...told.matchAll(/"(\w+\.\w+)"/g)].map(([, action]) => action)
      )
    )
    const writtenBySql = globSync("src/storage/migrations/*.sql").flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/insert into audit_log [^;]*?'(\w+\.\w+)'/g)].map(
        ([, action]) => action
      )
    )
    assert.deepStrictEqual([...new Set([...written, ...writtenBySql])].sort(), [...auditActions])
  })

  it.each(languages)("has words of its own for each action, in %s", (_, { actions }) => {
    assert.sameMembers(Object.keys(actions), [...auditActions])
    assert.strictEqual(new Set(Object.values(actions)).size, auditActions.length)
  })

  it.each(languages)("has words for what became of a transfer, and for the settings, in %s", (_, words) => {
    assert.containsAllKeys(words.names, ["from", "to", "return_reference"])
    assert.hasAllKeys(words.settings, ["maintenance", "maintenance_notice", marginFloor])
  })

  it.each(languages)("has words for the command line, in %s", (_, { actors }) => {
    assert.containsAllKeys(actors, [actor])
  })

  it.each(languages)("has words for all that is set on a key, in %s", (_, { names }) => {
    assert.containsAllKeys(names, Object.keys(detailOf(settings)))
  })
})
