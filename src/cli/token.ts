/** `tollgate token …` */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Token } from "../accounts/tokens.ts"
import { managementScopes, type Scope } from "../domain/management-scopes.ts"
import { tokenDaysMax } from "../domain/management-token.ts"
import { account, actor, json, namesIn } from "./flags.ts"
import { answer, type Columns, tableOf } from "./output.ts"

const actions = Effect.promise(() => import("./token-actions.ts"))

const isScope = (text: string): text is Scope => managementScopes.some((scope) => scope === text)

const scopes = Flag.String("scopes").pipe(
  Flag.withMetavar("SCOPES"),
  Flag.withDescription(`What it may do, with commas between: ${managementScopes.join(", ")}`),
  Flag.filterMap(
    (text) => {
      const asked = namesIn(text)
      return asked.every(isScope) ? Option.some<ReadonlyArray<Scope>>(asked) : Option.none()
    },
    () => `some of ${managementScopes.join(", ")}`
  )
)

const days = Flag.Int("days").pipe(
  Flag.withDescription(`For how many days it is good, at most ${tokenDaysMax}`),
  Flag.withDefault(90)
)

const create = Command.make(
  "create",
  { account, name: Flag.String("name").pipe(Flag.withDescription("What it is for")), scopes, days, json },
  Effect.fnUntraced(function* (input) {
    const { createToken } = yield* actions
    const made = yield* createToken(input.account, { ...input, actor })
    const { expiresAt, name, secret, tokenId } = made
    const value = {
      token_id: tokenId,
      token: secret,
      name,
      scopes: made.scopes,
      expires_at: expiresAt.toISOString()
    }
    yield* answer(
      input.json,
      value,
      () =>
        `Created token ${tokenId}, ${name}, good until ${value.expires_at}; it is not shown again:\n${secret}`
    )
  })
).pipe(Command.withDescription("Create a management token for the API"))

const list = Command.make(
  "list",
  { account, json },
  Effect.fnUntraced(function* (input) {
    const { listTokens } = yield* actions
    const listed = (yield* listTokens(input.account)).map(render)
    yield* answer(input.json, listed, () => tableOf(columns, listed))
  })
).pipe(Command.withDescription("List the management tokens of an account"))

const revoke = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withDescription("The token's id, not its secret")), json },
  Effect.fnUntraced(function* (input) {
    const { revokeToken } = yield* actions
    yield* revokeToken(input.id, actor)
    yield* answer(input.json, { token_id: input.id, status: "revoked" }, () => `Revoked token ${input.id}`)
  })
).pipe(Command.withDescription("Revoke a management token at once and for good"))

export const token = Command.make("token").pipe(
  Command.withDescription("Management tokens for the API"),
  Command.withSubcommands([create, list, revoke])
)

const render = (token: Token) => ({
  token_id: token.tokenId,
  name: token.name,
  hint: token.hint,
  scopes: token.scopes,
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt.toISOString(),
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
  revoked_at: token.revokedAt?.toISOString() ?? null
})

const columns: Columns<ReturnType<typeof render>> = {
  TOKEN: (token) => token.token_id,
  NAME: (token) => token.name,
  SCOPES: (token) => token.scopes.join(","),
  ENDS: (token) => (token.revoked_at === null ? token.expires_at : "revoked"),
  "LAST USED": (token) => token.last_used_at ?? "never"
}
