/** What each of the staff may do, as the README says it; the endpoints' rules are made of this. */
import { assert, describe, it } from "@effect/vitest"
import { mayHaveScope, operatorScopes, accountScopes } from "../../src/domain/management-scopes.ts"
import { type Duty, mayDo, type StaffRole, staffRoles } from "../../src/domain/staff-roles.ts"

const duties: ReadonlyArray<Duty> = ["look", "help", "money", "run"]

describe("one of the staff", () => {
  it.each<[role: StaffRole | undefined, may: ReadonlyArray<Duty>]>([
    ["support", ["look", "help"]],
    ["finance", ["look", "money"]],
    ["owner", duties],
    [undefined, []]
  ])("as %s may %j", (role, may) => {
    assert.deepStrictEqual(
      duties.filter((duty) => mayDo(role, duty)),
      may
    )
  })

  it.each<[role: StaffRole | undefined, may: ReadonlyArray<string>]>([
    ["support", ["operator:read", "operator:write"]],
    ["finance", operatorScopes],
    ["owner", operatorScopes],
    [undefined, []]
  ])("as %s has tokens for %j, and for their own account", (role, may) => {
    assert.deepStrictEqual(
      operatorScopes.filter((scope) => mayHaveScope(role, scope)),
      may
    )
    for (const scope of accountScopes) assert.isTrue(mayHaveScope(role, scope))
  })

  it("has one of these roles", () => {
    assert.deepStrictEqual(staffRoles, ["support", "finance", "owner"])
  })
})
