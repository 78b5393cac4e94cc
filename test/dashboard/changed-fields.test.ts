/** What a form sends: what was changed in it alone. */
import { assert, describe, it } from "@effect/vitest"
import { changedFields } from "../../src/dashboard/web/changed-fields.ts"

describe("changed fields", () => {
  it("are those that differ, lists by what they list", () => {
    const former = { name: "a", kinds: ["x", "y"], until: null }
    assert.isUndefined(changedFields(former, { ...former, kinds: ["x", "y"] }))
    assert.deepStrictEqual(changedFields(former, { ...former, kinds: ["y"] }), { kinds: ["y"] } as object)
    assert.deepStrictEqual(changedFields({ ...former, until: 1 }, former), { until: null } as object)
  })
})
