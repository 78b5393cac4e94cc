/** Many accounts at once, each with a wallet and one key, written by SQL as the program itself would have. */
import { createHash } from "node:crypto"
import type { Sql } from "postgres"
import { generateKeySecret } from "../../src/domain/api-key.ts"

const batchSize = 5_000
/** A hundred million VND, in µVND: half a minute of large prompts uses up more than one. */
const credit = 100_000_000_000_000n

/** Answers the keys' secrets. */
export const seedAccounts = async (
  sql: Sql,
  prefix: string,
  count: number
): Promise<ReadonlyArray<string>> => {
  const secrets = Array.from({ length: count }, generateKeySecret)
  for (let start = 0; start < count; start += batchSize) {
    const batch = secrets.slice(start, start + batchSize)
    const names = batch.map((_, index) => `${prefix}${start + index}`)
    const hashes = batch.map((secret) => createHash("sha256").update(secret).digest("hex"))
    await sql`
      with incoming as (
        select * from unnest(${names}::text[], ${hashes}::text[]) as t (name, hash)
      ), account as (
        insert into accounts (id, email) select 'acc_' || name, name || '@example.com' from incoming returning id
      ), wallet as (
        insert into wallets (account_id, booked_micro_vnd) select id, ${String(credit)}::int8 from account
        returning account_id
      ), entry as (
        insert into ledger_entries (account_id, source, source_id, amount_micro_vnd, reason, actor)
        select account_id, 'credit', 'bench ' || account_id, ${String(credit)}::int8, 'bench', 'bench' from wallet
      )
      insert into keys (id, account_id, name, slot, secret_hash, hint)
      select 'key_' || name, 'acc_' || name, 'bench', 0, decode(hash, 'hex'), '' from incoming
      where exists (select from wallet)`
  }
  return secrets
}
