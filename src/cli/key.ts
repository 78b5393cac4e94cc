/** `tollgate key …` */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Key } from "../accounts/keys.ts"
import { formatVnd } from "../domain/money.ts"
import { account, actor, json } from "./flags.ts"
import { keyFlags, overlap, settingsOf } from "./key-flags.ts"
import { answer, type Columns, tableOf } from "./output.ts"

const actions = Effect.promise(() => import("./key-actions.ts"))

const id = Argument.String("id").pipe(Argument.withDescription("The key's id, not its secret"))

const create = Command.make(
  "create",
  {
    account,
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for")),
    ...keyFlags,
    json
  },
  Effect.fnUntraced(function* (input) {
    const { createKey } = yield* actions
    const { keyId, name, secret } = yield* createKey(input.account, {
      name: input.name,
      ...settingsOf(input),
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
    yield* answer(input.json, listed, () => tableOf(columns, listed))
  })
).pipe(Command.withDescription("List the keys of an account"))

const show = Command.make(
  "show",
  { id, json },
  Effect.fnUntraced(function* (input) {
    const { showKey } = yield* actions
    const shown = yield* showKey(input.id, actor)
    const value = { ...render(shown), key: shown.secret }
    yield* answer(input.json, value, () => `${tableOf(columns, [value])}\n${shown.secret}`)
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

const update = Command.make(
  "update",
  {
    id,
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for"), Flag.optional),
    ...keyFlags,
    json
  },
  Effect.fnUntraced(function* (input) {
    const { updateKey } = yield* actions
    const name = Option.isSome(input.name) ? { name: input.name.value } : {}
    const updated = yield* updateKey(input.id, { ...name, ...settingsOf(input) }, actor)
    yield* answer(input.json, render(updated), () => describe(updated))
  })
).pipe(Command.withDescription("Change what is set on a key; what is left out stays as it is"))

const setPaused = (command: string, paused: boolean, done: string, description: string) =>
  Command.make(
    command,
    { id, json },
    Effect.fnUntraced(function* (input) {
      const { updateKey } = yield* actions
      yield* updateKey(input.id, { paused }, actor)
      yield* answer(input.json, { key_id: input.id, paused }, () => `${done} key ${input.id}`)
    })
  ).pipe(Command.withDescription(description))

const pause = setPaused("pause", true, "Paused", "Refuse the calls of a key until it is resumed")
const resume = setPaused("resume", false, "Resumed", "Serve the calls of a key again that was paused")

const rotate = Command.make(
  "rotate",
  {
    id,
    overlap,
    json
  },
  Effect.fnUntraced(function* (input) {
    const { rotateKey } = yield* actions
    const overlapSeconds = input.overlap
    const { keyId, name, secret } = yield* rotateKey(input.id, { overlapSeconds, actor })
    const value = { key_id: keyId, key: secret, name, overlap_seconds: overlapSeconds }
    yield* answer(input.json, value, () => `The new secret of key ${keyId}, ${name}:\n${secret}`)
  })
).pipe(Command.withDescription("Give a key a new secret"))

export const key = Command.make("key").pipe(
  Command.withDescription("Keys"),
  Command.withSubcommands([create, list, show, update, pause, resume, rotate, revoke])
)

const render = (key: Key) => ({
  key_id: key.keyId,
  name: key.name,
  status: key.status,
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  spent_vnd: formatVnd(key.spent),
  rate_limit_per_minute: key.rateLimitPerMinute,
  budget_vnd: key.budget && formatVnd(key.budget.amount),
  budget_period: key.budget && key.budget.period,
  budget_spent_vnd: key.budget && formatVnd(key.budgetSpent),
  models: key.models,
  endpoints: key.endpoints,
  allowed_ips: key.allowedIps,
  expires_at: key.expiresAt?.toISOString() ?? null,
  paused: key.paused,
  former_secret_until: key.formerSecretUntil?.toISOString() ?? null
})

/** One line for each thing that is set. */
const describe = (key: Key): string =>
  Object.entries(render(key))
    .filter(([, value]) => value !== null && value !== 0 && value !== false)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`)
    .join("\n")

const columns: Columns<ReturnType<typeof render>> = {
  KEY: (key) => key.key_id,
  NAME: (key) => key.name,
  STATUS: (key) => (key.status === "active" && key.paused ? "paused" : key.status),
  CREATED: (key) => key.created_at,
  "LAST USED": (key) => key.last_used_at ?? "never",
  "SPENT VND": (key) => key.spent_vnd
}
