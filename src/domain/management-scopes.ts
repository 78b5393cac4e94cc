/** What a management token may be allowed to do. */

/** Of one's own account. */
export const accountScopes = [
  "usage:read",
  "keys:read",
  "keys:write",
  "billing:read",
  "billing:write",
  "alerts:read",
  "alerts:write"
] as const
/** Of the whole service, as long as the account is an operator's. */
export const operatorScopes = ["operator:read", "operator:write", "operator:money"] as const

export const managementScopes = [...accountScopes, ...operatorScopes] as const
export type Scope = (typeof managementScopes)[number]

export const isOperatorScope = (scope: Scope): boolean =>
  operatorScopes.some((operatorScope) => operatorScope === scope)
