/** What people change of themselves: name, mail address, and whether they stay. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { awaitNodes } from "../../accounts/await-nodes.ts"
import { checkOwnEmail, checkText } from "../../accounts/check-text.ts"
import { personNameLengthMax } from "../../domain/field-limits.ts"
import type { OAuthProvider } from "../../domain/oauth-providers.ts"
import { changeAddress, closeAccount, renamePerson } from "../../storage/people/change-person.ts"
import { findPerson } from "../../storage/people/PersonStore.ts"
import { listPasskeys, removePasskey, removeTotp } from "../../storage/people/second-factors.ts"
import { listSignInsElsewhere, removeSignInElsewhere } from "../../storage/people/sign-ins-elsewhere.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { mailAddressLink, waitForAddressMail } from "../mail-address-link.ts"
import { askPassword, askSecondFactor } from "./ask-password.ts"
import { act, query, refuse, refuseText, refuseWait } from "./refuse.ts"

export const personHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "person", (handlers) =>
    handlers.handleAll({
      rename: Effect.fnUntraced(function* ({ payload }) {
        const { personId: accountId } = yield* Caller
        const name = checkText("name", payload.name, personNameLengthMax)
        if (typeof name !== "string") return yield* refuseText(name)
        yield* query("rename person", (sql) => renamePerson(sql, accountId, name))
        return {}
      }),

      /** Where mail is sent, nobody takes an address that is not theirs. */
      changeEmail: Effect.fnUntraced(function* ({ payload }) {
        const { personId: accountId } = yield* Caller
        const email = checkOwnEmail(payload.email)
        if (typeof email !== "string") return yield* refuseText(email)
        yield* askPassword(context, payload.password)
        if (context.settings.mail === undefined) {
          const changed = yield* query("change address", (sql) =>
            changeAddress(sql, { accountId, email, isVerified: false })
          )
          return changed ? { mailed: false } : yield* refuse("email_taken")
        }
        yield* refuseWait(waitForAddressMail(accountId, context))
        mailAddressLink({ accountId, email }, context)
        return { mailed: true }
      }),

      verifyEmail: Effect.fnUntraced(function* () {
        const { personId: accountId } = yield* Caller
        const person = yield* query("find person", (sql) => findPerson(sql, accountId))
        if (person === undefined || context.settings.mail === undefined) return yield* refuse("not_found")
        yield* refuseWait(waitForAddressMail(accountId, context))
        if (!person.isEmailVerified) mailAddressLink(person, context)
        return {}
      }),

      removeTotp: Effect.fnUntraced(function* () {
        const { confirmation, personId: accountId } = yield* Caller
        if (confirmation !== "fresh") return yield* refuse("confirm_needed")
        yield* query("remove second factor", (sql) => removeTotp(sql, accountId))
        return {}
      }),

      listPasskeys: Effect.fnUntraced(function* () {
        const { personId } = yield* Caller
        const passkeys = yield* query("list passkeys", (sql) => listPasskeys(sql, personId))
        return {
          passkeys: passkeys.map(({ createdAtMs, id, name }) => ({ id, name, created_at: createdAtMs }))
        }
      }),

      removePasskey: Effect.fnUntraced(function* ({ params }) {
        const { personId } = yield* Caller
        yield* askSecondFactor
        const outcome = yield* query("remove passkey", (sql) => removePasskey(sql, personId, params.id))
        if (outcome === "unknown") return yield* refuse("not_found")
        return outcome === "last" ? yield* refuse("last_way_in") : {}
      }),

      listSignIns,

      removeSignIn: removeSignIn(context),

      /** Once this has answered, no node admits a call of any of its keys. */
      close: Effect.fnUntraced(function* ({ payload }) {
        const { personId: accountId } = yield* Caller
        yield* askPassword(context, payload.password)
        const closed = yield* query("close account", (sql) => closeAccount(sql, accountId))
        if (closed === "last owner") return yield* refuse("last_owner")
        yield* act(awaitNodes(closed))
        return {}
      })
    })
  )

const listSignIns = Effect.fnUntraced(function* () {
  const { personId } = yield* Caller
  const signIns = yield* query("list sign-ins", (sql) => listSignInsElsewhere(sql, personId))
  return { sign_ins: signIns.map(({ provider, since }) => ({ provider, since: since.getTime() })) }
})

const removeSignIn = (context: DashboardContext) =>
  Effect.fnUntraced(function* ({ params, payload }: SignInRemoval) {
    const { personId } = yield* Caller
    yield* askPassword(context, payload.password)
    const outcome = yield* query("remove sign-in", (sql) =>
      removeSignInElsewhere(sql, personId, params.provider)
    )
    if (outcome === "unknown") return yield* refuse("not_found")
    return outcome === "last" ? yield* refuse("last_way_in") : {}
  })

interface SignInRemoval {
  readonly params: { readonly provider: OAuthProvider }
  readonly payload: { readonly password?: string }
}
