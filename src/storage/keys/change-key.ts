/** Changes of a key that goes on: what is set on it, and its secret. */
import type { KeyId } from "../../domain/ids.ts"
import { budgetAfter, type BudgetPeriod } from "../../domain/key-settings.ts"
import { announceEvent } from "../announce-event.ts"
import type { Sql } from "../Database.ts"
import { columnsOf, detailOf, type KeyChange, secretColumns, type StoredSecret } from "./key-columns.ts"
import { recordAction } from "../record-action.ts"

/** Answers the event that tells of it. A part of a budget is laid over the one there is at that moment. */
export const updateKey = (
  sql: Sql,
  keyId: KeyId,
  { budget: asked, ...others }: KeyChange,
  actor: string
): Promise<bigint | "revoked" | "no budget"> =>
  sql.begin(async (transaction) => {
    const [key] = await transaction<Array<{ amount: bigint | null; period: BudgetPeriod | null }>>`
      select budget_micro_vnd as amount, budget_period as period from keys
      where id = ${keyId} and status = 'active' for no key update`
    if (key === undefined) return "revoked"
    const { amount, period } = key
    const former = amount === null || period === null ? null : { amount, period }
    const budget = asked && budgetAfter(former, asked)
    if (asked && budget === undefined) return "no budget"
    const settings = budget === undefined ? others : { ...others, budget }
    await transaction`update keys set ${transaction(columnsOf(settings))} where id = ${keyId}`
    await recordAction(transaction, {
      actor,
      action: "key.update",
      subject: keyId,
      detail: detailOf(settings)
    })
    return await announceEvent(transaction, "key", keyId)
  })

export interface Rotation {
  readonly keyId: KeyId
  readonly secret: StoredSecret
  /** How long the present secret lives on; one that was replaced before ends now. */
  readonly overlapSeconds: number
  /** Of the secret that is to be replaced, where whoever asks has said which. */
  readonly formerHint: string | undefined
  readonly actor: string
}

/** A key is found by about a hundred of its former secrets, the latest ones. */
const formerHintsLengthMax = 1_600

/** Answers the event that tells of it; `replaced`: by another secret, before. */
export const rotateSecret = (sql: Sql, rotation: Rotation): Promise<bigint | "revoked" | "replaced"> =>
  sql.begin(async (transaction) => {
    const { actor, formerHint, keyId, overlapSeconds, secret } = rotation
    const [key] = await transaction<Array<{ hint: string }>>`
      select hint from keys where id = ${keyId} and status = 'active' for no key update`
    if (key === undefined) return "revoked"
    if (formerHint !== undefined && formerHint !== key.hint) return "replaced"
    const lives = overlapSeconds > 0
    await transaction`
      update keys set ${transaction(secretColumns(secret))}, secret_number = secret_number + 1,
        former_hints = right(ltrim(former_hints || ' ' || hint), ${formerHintsLengthMax}),
        former_secret_hash = case when ${lives} then secret_hash end,
        former_secret_until = case when ${lives} then now() + ${`${overlapSeconds} seconds`}::text::interval end
      where id = ${keyId}`
    const detail = { overlap_seconds: overlapSeconds }
    await recordAction(transaction, { actor, action: "key.rotate", subject: keyId, detail })
    return await announceEvent(transaction, "key", keyId)
  })
