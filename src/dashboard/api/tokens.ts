/** Management tokens of one's own. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { createToken, listTokens, revokeToken, type Token } from "../../accounts/tokens.ts"
import { isOperatorScope } from "../../domain/management-scopes.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { askPassword } from "./ask-password.ts"
import { act, refuse } from "./refuse.ts"

export const tokenHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "tokens", (handlers) =>
    handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { accountId, keysOf } = yield* Caller
        const tokens = yield* act(listTokens(accountId, keysOf))
        return { tokens: tokens.map(renderToken) }
      }),

      create: Effect.fnUntraced(function* ({ payload }) {
        const { accountId, actor, confirmation, personId: madeBy, sessionId } = yield* Caller
        const { expires_at: expiresAt, name, password, scopes } = payload
        // Of the token none is asked later: it would open what its maker is not let into themself.
        const isForOperators = scopes.some(isOperatorScope) && context.settings.operatorsNeedSecondFactor
        if (isForOperators && confirmation === "none") return yield* refuse("second_factor_needed")
        yield* askPassword(context, password)
        const token = yield* act(
          createToken({ accountId, madeBy, name, scopes, expiresAt: new Date(expiresAt), actor, sessionId })
        )
        return { id: token.tokenId, name: token.name, token: token.secret }
      }),

      revoke: Effect.fnUntraced(function* ({ params }) {
        const { accountId, actor, keysOf } = yield* Caller
        yield* act(revokeToken(params.id, actor, accountId, keysOf))
        return {}
      })
    })
  )

const renderToken = (token: Token) => ({
  id: token.tokenId,
  name: token.name,
  hint: token.hint,
  scopes: token.scopes,
  status: statusOf(token),
  created_at: token.createdAt.getTime(),
  expires_at: token.expiresAt.getTime(),
  last_used_at: token.lastUsedAt?.getTime() ?? null
})

const statusOf = ({ expiresAt, revokedAt }: Token) => {
  if (revokedAt !== undefined) return "revoked" as const
  return expiresAt.getTime() <= Date.now() ? ("expired" as const) : ("active" as const)
}
