/** What the members of an account may do for it. */
import type { Scope } from "./management-scopes.ts"

export const memberRoles = ["owner", "admin", "member", "billing"] as const
export type MemberRole = (typeof memberRoles)[number]

type AccountScope = Exclude<Scope, `operator:${string}`>

/**
 * Owners may do everything. Admins too, but for what concerns owners. Members have keys of their own, and see what those
 * used. Billing sees to the money and has no keys.
 */
const rolesByScope: Readonly<Record<AccountScope, ReadonlyArray<MemberRole>>> = {
  "usage:read": ["owner", "admin", "member"],
  "keys:read": ["owner", "admin", "member"],
  "keys:write": ["owner", "admin", "member"],
  "billing:read": ["owner", "admin", "billing"],
  "billing:write": ["owner", "admin", "billing"],
  "alerts:read": ["owner", "admin"],
  "alerts:write": ["owner", "admin"],
  "team:read": ["owner", "admin"]
}

/** `undefined` for what operators may do for the whole service. */
export const rolesOfScope = (scope: Scope): ReadonlyArray<MemberRole> | undefined =>
  (rolesByScope as Readonly<Partial<Record<Scope, ReadonlyArray<MemberRole>>>>)[scope]

/** Those who see all of an account's keys, not their own alone. */
export const seesAllKeys = (role: MemberRole): boolean => role === "owner" || role === "admin"

/** Whether someone may give these roles, or take them away: only owners make owners, or undo it. */
export const mayManage = (by: MemberRole, ...concerned: ReadonlyArray<MemberRole>): boolean =>
  by === "owner" || (by === "admin" && !concerned.includes("owner"))
