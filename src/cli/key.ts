/** `tollgate key …` */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Key } from "../accounts/keys.ts"
import { formatVnd } from "../domain/money.ts"
import { account, actor, json } from "./flags.ts"
import { answer, table } from "./output.ts"

const actions = Effect.promise(() => import("./key-actions.ts"))

const id = Argument.String("id").pipe(Argument.withDescription("The key's id, not its secret"))

const create = Command.make(
  "create",
  {
    account,
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for")),
    rateLimit: Flag.Int("rate-limit").pipe(
      Flag.withMetavar("PER_MINUTE"),
      Flag.withDescription("Calls per minute; 0 is no limit"),
      Flag.withDefault(0)
    ),
    json
  },
  Effect.fnUntraced(function* (input) {
    const { createKey } = yield* actions
    const { keyId, name, secret } = yield* createKey(input.account, {
      name: input.name,
      rateLimitPerMinute: input.rateLimit,
      actor
    })
    const value = { key_id: keyId, key: secret, name }
    yield* answer(input.json, value, () => `Created key ${keyId}, ${name}:\n${secret}`)
  })
).pipe(Command.withDescription("Create a key"))

const list = Command.make(
  "list",
  { account, json },
  Effect.fnUntraced(function* (input) {
    const { listKeys } = yield* actions
    const listed = (yield* listKeys(input.account)).map(render)
    yield* answer(input.json, listed, () => table(Object.keys(columns), listed.map(cells)))
  })
).pipe(Command.withDescription("List the keys of an account"))

const show = Command.make(
  "show",
  { id, json },
  Effect.fnUntraced(function* (input) {
    const { showKey } = yield* actions
    const shown = yield* showKey(input.id, actor)
    const value = { ...render(shown), key: shown.secret }
    yield* answer(input.json, value, () => `${table(Object.keys(columns), [cells(value)])}\n${shown.secret}`)
  })
).pipe(Command.withDescription("Show a key again, with its secret"))

const revoke = Command.make(
  "revoke",
  { id, json },
  Effect.fnUntraced(function* (input) {
    const { revokeKey } = yield* actions
    yield* revokeKey(input.id, actor)
    yield* answer(input.json, { key_id: input.id, status: "revoked" }, () => `Revoked key ${input.id}`)
  })
).pipe(Command.withDescription("Revoke a key for good"))

export const key = Command.make("key").pipe(
  Command.withDescription("Keys"),
  Command.withSubcommands([create, list, show, revoke])
)

const render = (key: Key) => ({
  key_id: key.keyId,
  name: key.name,
  status: key.status,
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  spent_vnd: formatVnd(key.spent)
})

type Rendered = ReturnType<typeof render>

const columns: Readonly<Record<string, (key: Rendered) => string>> = {
  KEY: (key) => key.key_id,
  NAME: (key) => key.name,
  STATUS: (key) => key.status,
  CREATED: (key) => key.created_at,
  "LAST USED": (key) => key.last_used_at ?? "never",
  "SPENT VND": (key) => key.spent_vnd
}

const cells = (key: Rendered) => Object.values(columns).map((cell) => cell(key))
