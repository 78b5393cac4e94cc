/** One question for everything by which an operator may know a customer. */
import type postgres from "postgres"
import { searchLengthMin } from "../domain/field-limits.ts"
import { timeOfCallId } from "../domain/ids.ts"
import { plainText, withoutAccents } from "../domain/suggest-owners.ts"
import { shownStatus, type TopUpOrder } from "../domain/top-up.ts"
import { typedTaxCode } from "../domain/tax-code.ts"
import type { Sql } from "./Database.ts"

type Fragment = postgres.PendingQuery<Array<postgres.Row>>

/** What was found by, in the order in which it is told. */
const hitKinds = ["call", "key", "order", "transfer", "account", "person", "billing"] as const
export type HitKind = (typeof hitKinds)[number]

export interface Hit {
  readonly kind: HitKind
  /** Of what was found, not of whose it is. */
  readonly id: string
  /** What of it was meant: a mail address, a key's name and hint (and that of a former secret before it), an order's code, a memo … */
  readonly label: string
  /** Whose it is; `undefined` for a transfer that is nobody's yet. */
  readonly account: { readonly id: string; readonly email: string } | undefined
  readonly at: Date
  /** Where it is one: what was ordered, and whether it has come. */
  readonly order:
    | (Pick<TopUpOrder, "amount"> & { readonly status: ReturnType<typeof shownStatus> })
    | undefined
}

/** Of each kind. */
const hitsMax = 10

/**
 * The newest of each kind first. Mail addresses, names, hints of keys, memos and companies are found by a part, names, memos
 * and companies also without accents; ids, codes and tax codes whole. `undefined`: the text is too short to be looked for.
 */
export const searchEverything = async (sql: Sql, text: string): Promise<ReadonlyArray<Hit> | undefined> => {
  if ([...text].length < searchLengthMin) return undefined
  const part = partOf(text)
  const hasPlain = plainMatch(sql, text)
  // Hints are written with an ellipsis, which people type as dots.
  const hint = part.replaceAll("...", "…")
  // Banks write theirs in large letters.
  const references = sql([text, text.toUpperCase()])
  const rows = await sql<Array<HitRow>>`
    with hits as (
      ${callOf(sql, text)}
      (select 'key' as kind, id,
        concat_ws(' ', name, case when hint not ilike ${hint} then ${formerHint(sql, hint)} end, hint) as label,
        account_id, created_at as at
        from keys where id = ${text} or hint ilike ${hint}
          or former_hints ilike ${hint} and ${formerHint(sql, hint)} is not null
        order by created_at desc limit ${hitsMax})
      union all
      (select 'order', id, code, account_id, created_at from top_up_orders
        where code = upper(${text}) or id = ${text} limit ${hitsMax})
      union all
      (select 'transfer', id::text, memo, account_id, transferred_at from bank_transfers
        where memo ilike ${part} or ${hasPlain(sql`memo`)} or provider_transfer_id = ${text}
          or bank_reference in ${references} and bank_reference <> ''
          or shown_reference in ${references} and shown_reference <> ''
        order by bank_transfers.id desc limit ${hitsMax})
      union all
      (select 'account', id, email, id, created_at from accounts
        where email ilike ${part} or id = ${text} order by created_at desc limit ${hitsMax})
      union all
      (select 'person', id, name, id, created_at from people
        where name ilike ${part} or ${hasPlain(sql`name`)} order by created_at desc limit ${hitsMax})
      union all
      (select 'billing', account_id, concat_ws(' · ', nullif(company, ''), nullif(tax_code, '')), account_id, updated_at
        from billing_details
        where tax_code <> '' and tax_code = ${typedTaxCode(text)} or company ilike ${part} or ${hasPlain(sql`company`)}
        order by updated_at desc limit ${hitsMax})
    )
    select h.kind, h.id, h.label, a.id as account_id, a.email, h.at, o.amount_micro_vnd as amount, o.status, o.expires_at
    from hits h left join accounts a on a.id = h.account_id left join top_up_orders o on h.kind = 'order' and o.id = h.id`
  const place = new Map(hitKinds.map((kind, index) => [kind, index]))
  return rows
    .map(toHit)
    .toSorted((one, other) => place.get(one.kind)! - place.get(other.kind)! || +other.at - +one.at)
}

const partOf = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`

/** Whether a column has the text without accents: its words, which an index finds, and any other character as it stands. */
const plainMatch = (sql: Sql, text: string): ((column: Fragment) => Fragment) => {
  const plain = plainText(text)
  if (plain.length < searchLengthMin) return () => sql`false`
  const words = partOf(plain)
  if (/^[\p{L}\p{M}\p{N}\s]+$/u.test(text)) return (column) => sql`plain_text(${column}) like ${words}`
  const exact = partOf(withoutAccents(text))
  return (column) => sql`
    (plain_text(${column}) like ${words}
      and translate(regexp_replace(normalize(${column}, NFD), '[\u0300-\u036f]', '', 'g'), 'đĐ', 'dd') ilike ${exact})`
}

/** Of a key's former secrets, the one that was meant, before an arrow to its present one. */
const formerHint = (sql: Sql, hint: string) => sql`
  (select former || ' →' from string_to_table(former_hints, ' ') as former where former ilike ${hint} limit 1)`

/** When a call was begun is written in its id: only the calls of that moment are looked through. */
const callOf = (sql: Sql, id: string) => {
  const atMs = timeOfCallId(id)
  if (atMs === undefined) return sql``
  return sql`
    (select 'call' as kind, id, concat_ws(' ', nullif(model, ''), status) as label, account_id, at from calls
      where id = ${id} and at between ${new Date(atMs - 1_000)} and ${new Date(atMs + 1_000)} limit 1)
    union all`
}

interface HitRow {
  readonly kind: HitKind
  readonly id: string
  readonly label: string
  readonly account_id: string | null
  readonly email: string | null
  readonly at: Date
  readonly amount: TopUpOrder["amount"] | null
  readonly status: TopUpOrder["status"] | null
  readonly expires_at: Date | null
}

const toHit = ({ account_id: accountId, at, email, id, kind, label, ...row }: HitRow): Hit => ({
  kind,
  id,
  label,
  account: accountId === null || email === null ? undefined : { id: accountId, email },
  at,
  order: orderOf(row)
})

const orderOf = ({
  amount,
  expires_at: expiresAt,
  status
}: Pick<HitRow, "amount" | "expires_at" | "status">) =>
  amount === null || expiresAt === null || status === null
    ? undefined
    : { amount, status: shownStatus({ status, expiresAtMs: expiresAt.getTime() }, Date.now()) }
