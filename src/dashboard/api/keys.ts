/** An account's own keys. */
import { Schema } from "effect"
import { createKey, type Key, listKeys, revokeKey, showKey } from "../../accounts/keys.ts"
import { formatVnd } from "../../domain/money.ts"
import { activeKeysMax } from "../../storage/KeyStore.ts"
import { ApiProblem } from "../ApiProblem.ts"
import { limitPasswords } from "../limit-passwords.ts"
import { bodyOf, forAccount, json } from "../route.ts"

const newKey = bodyOf(Schema.Struct({ name: Schema.String, rate_limit: Schema.Int }))
const password = bodyOf(Schema.Struct({ password: Schema.String }))

export const keyRoutes = [
  forAccount("GET", "/keys", async (_ask, context, person) => {
    const keys = await context.run(listKeys(person.accountId))
    return json({ keys: keys.map(renderKey).toReversed(), active_max: activeKeysMax })
  }),

  forAccount("POST", "/keys", async (ask, context, person) => {
    const { name, rate_limit: rateLimitPerMinute } = newKey(ask)
    const { accountId } = person
    const key = await context.run(createKey({ accountId, name, rateLimitPerMinute, actor: accountId }))
    return json({ id: key.keyId, name: key.name, key: key.secret }, 201)
  }),

  /** A session may have been left open: showing a secret asks for the password afresh. */
  forAccount("POST", "/keys/:id/reveal", async (ask, context, person) => {
    limitPasswords(person, context)
    if (!(await context.people.isPasswordOf(person.accountId, password(ask).password))) {
      throw new ApiProblem(403, "wrong_password")
    }
    const key = await context.run(showKey(ask.parameters["id"]!, person.accountId, person.accountId))
    return json({ key: key.secret })
  }),

  forAccount("POST", "/keys/:id/revoke", async (ask, context, person) => {
    await context.run(revokeKey(ask.parameters["id"]!, person.accountId, person.accountId))
    return json({})
  })
]

const renderKey = (key: Key) => ({
  id: key.keyId,
  name: key.name,
  hint: key.hint,
  status: key.status,
  rate_limit: key.rateLimitPerMinute,
  created_at: key.createdAt.getTime(),
  last_used_at: key.lastUsedAt?.getTime() ?? null,
  spent_vnd: formatVnd(key.spent)
})
