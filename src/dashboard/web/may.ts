/** What the person may, by their role in the account they act for, and in the staff: what they may not is not offered. */
import type { Scope } from "../../domain/management-scopes.ts"
import { rolesOfScope } from "../../domain/member-roles.ts"
import { type Duty, mayDo } from "../../domain/staff-roles.ts"
import { session } from "./session.ts"

const staffRole = () => session.value?.person?.role ?? undefined

export const isStaff = (): boolean => staffRole() !== undefined

/** Whether they may do it as an operator. */
export const may = (duty: Duty): boolean => mayDo(staffRole(), duty)

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

/** Of operators' pages those that are not open to all of them. */
const duties: Readonly<Record<string, Duty>> = {
  "/operator/margin": "money",
  "/operator/purchase-prices": "money"
}

/** Whether the page shows the account that one acts for. */
export const isOfAccount = (path: string): boolean => path in scopes

export const mayOpen = (path: string): boolean => {
  const duty = duties[path]
  if (duty !== undefined) return may(duty)
  const acting = session.value?.person?.acting
  const scope = scopes[path]
  return acting === undefined || scope === undefined || rolesOfScope(scope)?.includes(acting.role) === true
}

/** Where one comes to first. */
export const home = (): string => (mayOpen("/overview") ? "/overview" : "/statement")
