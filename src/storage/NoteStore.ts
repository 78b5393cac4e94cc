/** What operators note about a customer, for each other. */
import type { AccountId } from "../domain/ids.ts"
import type { Sql } from "./Database.ts"
import { recordAction } from "./record-action.ts"
import { actorName } from "./people/TokenStore.ts"

export interface Note {
  readonly id: string
  readonly atMs: number
  /** For people to read. */
  readonly author: string
  readonly text: string
}

/** Newest first. */
export const listNotes = async (
  sql: Sql,
  accountId: AccountId,
  { before, limit }: { readonly before: string | undefined; readonly limit: number }
): Promise<ReadonlyArray<Note>> => {
  const rows = await sql<Array<Omit<Note, "atMs"> & { at: Date }>>`
    select n.id::text, n.at, ${actorName(sql, sql`n.author`)} as author, n.text from account_notes n
    where n.account_id = ${accountId} ${before === undefined ? sql`` : sql`and n.id < ${before}`}
    order by n.id desc limit ${limit}`
  return rows.map(({ at, ...row }) => Object.assign(row, { atMs: at.getTime() }))
}

/** The audit log tells that there is one, not what it says. */
export const insertNote = (
  sql: Sql,
  { accountId, actor, text }: { readonly accountId: AccountId; readonly actor: string; readonly text: string }
): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction`insert into account_notes (account_id, author, text) values (${accountId}, ${actor}, ${text})`
    await recordAction(transaction, { actor, action: "account.note", subject: accountId })
  })
