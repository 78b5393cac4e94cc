/** An account's webhooks: making them, changing them, and their secrets. */
import { Clock, Effect, Schema } from "effect"
import { SecretReplaced } from "../accounts/keys.ts"
import { sealText } from "../accounts/seal-key.ts"
import { SealKeys } from "../accounts/SealKeys.ts"
import { BadText, checkText } from "../accounts/check-text.ts"
import { randomBase62, toBase62 } from "../domain/base62.ts"
import { type AlertKind, alertKinds, isAlertKind } from "../domain/alert-kinds.ts"
import { overlapHoursMax, webhookUrlLengthMax } from "../domain/field-limits.ts"
import type { AccountId } from "../domain/ids.ts"
import { Database } from "../storage/Database.ts"
import type { Asker } from "../storage/still-asks.ts"
import * as WebhookStore from "../storage/alerts/WebhookStore.ts"
import { webhookPlace } from "./deliver.ts"
import { makeWebhookSecret } from "./sign-webhook.ts"

export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>()("WebhookNotFound", {}) {
  override get message() {
    return "There is no such webhook"
  }
}

export class TooManyWebhooks extends Schema.TaggedError<TooManyWebhooks>()("TooManyWebhooks", {}) {
  override get message() {
    return `An account has ${WebhookStore.webhooksMax} webhooks at most`
  }
}

/** Not one that may be called: `reason` may be told to whoever gave it. */
export class WebhookUrlRefused extends Schema.TaggedError<WebhookUrlRefused>()("WebhookUrlRefused", {
  reason: Schema.String
}) {
  override get message() {
    return `The webhook's address is refused: ${this.reason}`
  }
}

/** Whose webhooks they are, and who acts, as the audit log names them. */
export interface Owner extends Asker {
  readonly accountId: AccountId
}

/** What is wrong with an address, if anything. */
export type FindUrlProblem = (url: string) => string | undefined

const checkUrl = (url: string, findProblem: FindUrlProblem) => {
  const text = checkText("address", url, webhookUrlLengthMax)
  if (typeof text !== "string") return text
  const reason = findProblem(text)
  return reason === undefined ? text : new WebhookUrlRefused({ reason })
}

/** Each once, in the order in which they are listed everywhere. */
export const checkKinds = (kinds: ReadonlyArray<string>): ReadonlyArray<AlertKind> | BadText =>
  kinds.every(isAlertKind)
    ? alertKinds.filter((kind) => kinds.includes(kind))
    : new BadText({ what: "list of alerts", reason: "names what there is none of" })

const makeSealedSecret = Effect.fnUntraced(function* (id: string) {
  const { current } = yield* SealKeys
  const secret = makeWebhookSecret()
  return { secret, stored: { sealed: sealText(current, webhookPlace(id), secret), sealKeyId: current.id } }
})

/** The secret is answered here, and never again. */
export const createWebhook = Effect.fn("createWebhook")(function* (
  { accountId, actor, sessionId }: Owner,
  asked: { readonly url: string; readonly kinds: ReadonlyArray<string> },
  findProblem: FindUrlProblem
) {
  const url = checkUrl(asked.url, findProblem)
  if (typeof url !== "string") return yield* url
  const kinds = checkKinds(asked.kinds)
  if (kinds instanceof BadText) return yield* kinds
  const database = yield* Database
  const id = `whk_${toBase62(yield* Clock.currentTimeMillis, 8)}${randomBase62(10)}`
  const { secret, stored } = yield* makeSealedSecret(id)
  const outcome = yield* database.run("create webhook", (sql) =>
    WebhookStore.insertWebhook(sql, { id, accountId, url, kinds, secret: stored, actor, sessionId })
  )
  if (outcome === "too many") return yield* new TooManyWebhooks()
  if (outcome === "shut out") return yield* new WebhookNotFound()
  return { id, secret }
})

/** What is not given stays as it is. */
export const updateWebhook = Effect.fn("updateWebhook")(function* (
  { accountId, actor }: Owner,
  id: string,
  asked: {
    readonly url?: string | undefined
    readonly kinds?: ReadonlyArray<string> | undefined
    readonly paused?: boolean | undefined
  },
  findProblem: FindUrlProblem
) {
  const url = asked.url === undefined ? undefined : checkUrl(asked.url, findProblem)
  if (url !== undefined && typeof url !== "string") return yield* url
  const kinds = asked.kinds === undefined ? undefined : checkKinds(asked.kinds)
  if (kinds instanceof BadText) return yield* kinds
  const database = yield* Database
  const change = { url, kinds, paused: asked.paused }
  const isThere = yield* database.run("update webhook", (sql) =>
    WebhookStore.updateWebhook(sql, accountId, id, change, actor)
  )
  if (!isThere) return yield* new WebhookNotFound()
})

interface RotationRequest {
  readonly overlapHours: number
  /** Until when a former secret signs, as it was seen; `null`: none does. */
  readonly formerUntilMs?: number | null | undefined
}

/** A new secret; the former one signs beside it for so long. */
export const rotateWebhook = Effect.fn("rotateWebhook")(function* (
  { accountId, actor }: Owner,
  id: string,
  { formerUntilMs, overlapHours }: RotationRequest
) {
  if (!Number.isSafeInteger(overlapHours) || overlapHours < 0 || overlapHours > overlapHoursMax) {
    return yield* new BadText({ what: "overlap", reason: `must be from 0 to ${overlapHoursMax} hours` })
  }
  const database = yield* Database
  const { secret, stored } = yield* makeSealedSecret(id)
  const overlapSeconds = overlapHours * 3_600
  const outcome = yield* database.run("rotate webhook secret", (sql) =>
    WebhookStore.rotateWebhookSecret(sql, {
      accountId,
      id,
      secret: stored,
      overlapSeconds,
      formerUntilMs,
      actor
    })
  )
  if (outcome === "no webhook") return yield* new WebhookNotFound()
  if (outcome === "replaced") return yield* new SecretReplaced()
  return { secret }
})

export const deleteWebhook = Effect.fn("deleteWebhook")(function* ({ accountId, actor }: Owner, id: string) {
  const database = yield* Database
  const isThere = yield* database.run("delete webhook", (sql) =>
    WebhookStore.deleteWebhook(sql, accountId, id, actor)
  )
  if (!isThere) return yield* new WebhookNotFound()
})
