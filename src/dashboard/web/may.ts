/** What the person may do in the account they act for. */
import type { Scope } from "../../domain/management-scopes.ts"
import { rolesOfScope } from "../../domain/member-roles.ts"
import { session } from "./session.ts"

/** What a page asks for; all others are open to every role. */
const scopes: Readonly<Record<string, Scope>> = {
  "/overview": "usage:read",
  "/keys": "keys:read",
  "/usage": "usage:read",
  "/topup": "billing:read",
  "/statement": "billing:read",
  "/receipt": "billing:read",
  "/alerts": "alerts:read",
  "/members": "team:read",
  "/activity": "team:read"
}

export const mayOpen = (path: string): boolean => {
  const acting = session.value?.person?.acting
  const scope = scopes[path]
  return acting === undefined || scope === undefined || rolesOfScope(scope)?.includes(acting.role) === true
}

/** Where one comes to first. */
export const home = (): string => (mayOpen("/overview") ? "/overview" : "/statement")
