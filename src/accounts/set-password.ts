/** Gives an account's owner a password for the dashboard, from outside of it. */
import { Effect, Schema } from "effect"
import type { AccountId } from "../domain/ids.ts"
import { BadText } from "./check-text.ts"
import type { People } from "./people.ts"
import { SealKeys } from "./SealKeys.ts"

export class PasswordNotSet extends Schema.TaggedError<PasswordNotSet>()("PasswordNotSet", {
  cause: Schema.Defect()
}) {
  override get message() {
    return "The account exists, but its password could not be set"
  }
}

/** Whether this password would be taken, asked before anything is created. */
export const checkPassword = Effect.fn("checkPassword")(function* (password: string) {
  const { passwordLengthMax, passwordLengthMin } = yield* loadPeople
  if (password.length < passwordLengthMin || password.length > passwordLengthMax) {
    const reason = `must have ${passwordLengthMin} to ${passwordLengthMax} characters`
    return yield* new BadText({ what: "password", reason })
  }
})

export interface PersonRequest {
  readonly accountId: AccountId
  readonly email: string
  readonly databaseUrl: string
  readonly publicUrl: string
}

export interface PasswordRequest extends PersonRequest {
  readonly password: string
}

export const setPassword = (request: PasswordRequest) =>
  withPeople(request, (people) => people.setPassword(request.accountId, request.email, request.password))

/** Where whoever has this link can choose a password, within the hour. */
export const makePasswordLink = (request: PersonRequest) =>
  withPeople(request, async (people) => {
    await people.openFor(request.accountId, request.email)
    return await people.makeResetLink(request.accountId)
  })

const withPeople = Effect.fnUntraced(function* <A>(
  request: PersonRequest,
  act: (people: People) => Promise<A>
) {
  const { cookieSecretsOf, makePeople } = yield* loadPeople
  const { all } = yield* SealKeys
  const attempt = <B>(action: () => Promise<B>) =>
    Effect.tryPromise({ try: action, catch: (cause) => new PasswordNotSet({ cause }) })
  return yield* Effect.acquireUseRelease(
    attempt(() =>
      makePeople({
        databaseUrl: request.databaseUrl,
        publicUrl: request.publicUrl,
        secrets: cookieSecretsOf(all),
        mail: undefined,
        oauth: [],
        proxies: { http: undefined, https: undefined, none: [] },
        limited: true,
        onWarning: () => {}
      })
    ),
    (people) => attempt(() => act(people)),
    (people) => Effect.promise(() => people.close())
  )
})

// It takes a third of a second to load, and few commands need it.
const loadPeople = Effect.promise(() => import("./people.ts"))
