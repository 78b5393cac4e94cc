/** What people change of themselves: name, mail address, and whether they stay. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { passwordLengthMax, personNameLengthMax } from "../../domain/field-limits.ts"
import { oauthProviders } from "../../domain/oauth-providers.ts"
import { forAccount } from "./access.ts"
import { Email, Id, Line, Moment, nothing } from "./fields.ts"
import { problems } from "./problems.ts"

const Provider = Schema.Literals(oauthProviders)

const Password = Schema.String.check(Schema.isMaxCodePoints(passwordLengthMax)).annotate({
  description: "Where there is no second factor"
})

export const person = HttpApiGroup.make("person").add(
  HttpApiEndpoint.post("rename", "/person/name", {
    payload: Schema.Struct({ name: Line(personNameLengthMax) }),
    success: nothing,
    error: problems("invalid")
  }).pipe(forAccount(undefined, "Changes one's name")),
  HttpApiEndpoint.post("changeEmail", "/person/email", {
    payload: Schema.Struct({ email: Email, password: Schema.optionalKey(Password) }),
    success: Schema.Struct({
      mailed: Schema.Boolean.annotate({
        description: "It changes once the link is followed that was mailed to the new address"
      })
    }),
    error: problems("invalid", "wrong_password", "too_many_tries", "email_taken")
  }).pipe(forAccount(undefined, "Changes the mail address, of the account too")),
  HttpApiEndpoint.post("verifyEmail", "/person/verify-email", {
    success: nothing,
    error: problems("not_found", "too_many_tries")
  }).pipe(forAccount(undefined, "Mails a link that shows whose the address is, once more")),
  HttpApiEndpoint.post("removeTotp", "/person/totp/remove", { success: nothing }).pipe(
    forAccount(undefined, "Asks for no code of an authenticator app any more; the recovery codes go with it")
  ),
  HttpApiEndpoint.get("listPasskeys", "/passkeys", {
    success: Schema.Struct({
      passkeys: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, created_at: Moment }))
    })
  }).pipe(forAccount(undefined, "One's passkeys")),
  HttpApiEndpoint.post("removePasskey", "/passkeys/:id/remove", {
    params: { id: Id },
    success: nothing,
    error: problems("not_found", "last_way_in")
  }).pipe(forAccount(undefined, "Removes a passkey; the last way in stays")),
  HttpApiEndpoint.get("listSignIns", "/person/sign-ins", {
    success: Schema.Struct({
      sign_ins: Schema.Array(Schema.Struct({ provider: Provider, since: Moment }))
    })
  }).pipe(forAccount(undefined, "The accounts elsewhere that one signs in with")),
  HttpApiEndpoint.post("removeSignIn", "/person/sign-ins/:provider/remove", {
    params: { provider: Provider },
    payload: Schema.Struct({ password: Schema.optionalKey(Password) }),
    success: nothing,
    error: problems("invalid", "not_found", "wrong_password", "too_many_tries", "last_way_in")
  }).pipe(forAccount(undefined, "Signs one in with an account elsewhere no more; the last way in stays")),
  HttpApiEndpoint.post("close", "/person/close", {
    payload: Schema.Struct({ password: Schema.optionalKey(Password) }),
    success: nothing,
    error: problems("invalid", "wrong_password", "too_many_tries", "last_owner")
  }).pipe(forAccount(undefined, "Closes the account: its keys, tokens and sessions end, its books stay"))
)
