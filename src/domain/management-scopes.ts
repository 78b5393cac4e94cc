/** What a management token may be allowed to do. */
import { mayDo, type StaffRole } from "./staff-roles.ts"

/** Of one's own account. */
export const accountScopes = [
  "usage:read",
  "keys:read",
  "keys:write",
  "billing:read",
  "billing:write",
  "alerts:read",
  "alerts:write",
  "team:read"
] as const
/** Of the whole service, as long as the account is an operator's, and no more than its role. */
export const operatorScopes = ["operator:read", "operator:write", "operator:money"] as const

export type OperatorScope = (typeof operatorScopes)[number]

export const managementScopes = [...accountScopes, ...operatorScopes] as const
export type Scope = (typeof managementScopes)[number]

export const isOperatorScope = (scope: Scope): scope is OperatorScope =>
  operatorScopes.some((operatorScope) => operatorScope === scope)

/** Whether a token of somebody with this role can be given the scope. What it opens is asked of the role anew each time. */
export const mayHaveScope = (role: StaffRole | undefined, scope: Scope): boolean =>
  !isOperatorScope(scope) || mayDo(role, scope === "operator:money" ? "money" : "look")
