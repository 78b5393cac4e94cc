/** Programs: who asks by a management token, and whether that may. */
import { hashSecret } from "../accounts/hash-secret.ts"
import { isTokenSecret } from "../domain/management-token.ts"
import { tokenRequestsPerMinute } from "../domain/per-minute.ts"
import { findBearer } from "../storage/people/TokenStore.ts"
import { ApiProblem, requireNoWait } from "./ApiProblem.ts"
import { type Asking, checkRole, keysOf, mayAs } from "./authenticate.ts"
import { callerAddress } from "./caller-address.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Caller, Rule } from "./definition/access.ts"

const minuteMs = 60_000
/** Of one address, with tokens that there are none of. */
const failuresPerMinute = 60

/** What stands after `Bearer`; `undefined` where the request names no such thing, and whoever asks has cookies or nothing. */
export const bearerOf = ({ header }: Asking): string | undefined =>
  /^bearer +(\S+)$/i.exec(header("authorization").trim())?.[1]

/** The account and the token are asked of the database each time: revoking counts at once. */
export const authenticateBearer = async (
  secret: string,
  asking: Asking,
  context: DashboardContext,
  rule: Exclude<Rule, { who: "anyone" }>
): Promise<Caller["Service"]> => {
  const take = (action: string, subject: string, limit: number) =>
    requireNoWait(context.limits.take(action, subject, limit, minuteMs, Date.now()))
  const bearer = isTokenSecret(secret)
    ? await context.query("find token", (sql) => findBearer(sql, hashSecret(secret)))
    : undefined
  if (bearer === undefined) {
    take("unknown token", callerAddress(asking), failuresPerMinute)
    throw new ApiProblem(401, "signed_out")
  }
  take("token", bearer.tokenId, tokenRequestsPerMinute)
  if (!bearer.isActive) throw new ApiProblem(403, "account_disabled")
  const { accountId, madeBy: personId = accountId, memberRole, role, tokenId } = bearer
  checkRole(role, rule)
  // Who has none any more is not let in themself.
  const needsFactor = rule.who === "operator" && context.settings.operatorsNeedSecondFactor
  if (needsFactor && bearer.makerHasFactor === false) throw new ApiProblem(403, "second_factor_needed")
  if (rule.scope === undefined || !bearer.scopes.includes(rule.scope))
    throw new ApiProblem(403, "out_of_scope")
  // A token may never more than its maker may now.
  if (memberRole === undefined) throw new ApiProblem(403, "not_a_member")
  if (!mayAs(memberRole, rule.who === "account" ? rule.roles : undefined))
    throw new ApiProblem(403, "role_forbids")
  const acting = { accountId, personId, memberRole, keysOf: keysOf(memberRole, personId) }
  return { ...acting, role, actor: tokenId, isPerson: false, confirmation: "fresh", sessionId: undefined }
}
