/** What each member of an account may do in it; the endpoints' rules are made of this. */
import { assert, describe, it } from "@effect/vitest"
import {
  accountScopes,
  managementScopes,
  operatorScopes,
  type Scope
} from "../../src/domain/management-scopes.ts"
import {
  mayManage,
  type MemberRole,
  memberRoles,
  rolesOfScope,
  seesAllKeys
} from "../../src/domain/member-roles.ts"

const scopesOf = (role: MemberRole): ReadonlyArray<Scope> =>
  managementScopes.filter((scope) => rolesOfScope(scope)?.includes(role))

describe("a member of an account", () => {
  it.each<[role: MemberRole, scopes: ReadonlyArray<Scope>]>([
    ["owner", accountScopes],
    ["admin", accountScopes],
    ["member", ["usage:read", "keys:read", "keys:write"]],
    ["billing", ["billing:read", "billing:write"]]
  ])("as %s may do what is of %j", (role, scopes) => {
    assert.deepStrictEqual(scopesOf(role), scopes)
  })

  it("has no part in what operators do", () => {
    for (const scope of operatorScopes) assert.isUndefined(rolesOfScope(scope))
  })

  it("has one of these roles, and tokens of these scopes", () => {
    assert.deepStrictEqual(memberRoles, ["owner", "admin", "member", "billing"])
    const ofAccount =
      "usage:read keys:read keys:write billing:read billing:write alerts:read alerts:write team:read"
    assert.deepStrictEqual<ReadonlyArray<string>>(accountScopes, ofAccount.split(" "))
    assert.deepStrictEqual(operatorScopes, ["operator:read", "operator:write", "operator:money"])
    assert.deepStrictEqual(managementScopes, [...accountScopes, ...operatorScopes])
  })

  it("sees all keys as an owner or an admin alone", () => {
    assert.deepStrictEqual(memberRoles.filter(seesAllKeys), ["owner", "admin"])
  })

  it("gives roles and takes them away as an owner, and as an admin where no owner is made or undone", () => {
    for (const former of memberRoles)
      for (const next of memberRoles) {
        const concernsOwner = former === "owner" || next === "owner"
        const may = memberRoles.filter((by) => mayManage(by, former, next))
        assert.deepStrictEqual(may, concernsOwner ? ["owner"] : ["owner", "admin"])
      }
  })
})
