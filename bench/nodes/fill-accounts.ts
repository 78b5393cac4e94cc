/** Many accounts in bulk, each with a wallet, its credit and one key, as the program itself would have left them. */
import type { KeyIdentity } from "../../src/ledger/bridge/protocol.ts"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import type { Sql } from "../../src/storage/Database.ts"

/** What each has, in µVND: enough for all that is called. */
const credit = 1_000_000_000_000n

export const customerOf = (index: number | string): KeyIdentity => ({
  accountId: `acc_${index}` as AccountId,
  keyId: `key_${index}` as KeyId,
  secret: 0
})

/** An empty, migrated database is filled. */
export const fillAccounts = async (sql: Sql, count: number): Promise<void> => {
  const last = count - 1
  await sql`insert into accounts (id, email)
    select 'acc_' || i, i || '@example.com' from generate_series(0, ${last}::int) i`
  await sql`insert into wallets (account_id, booked_micro_vnd) select id, ${credit} from accounts`
  await sql`insert into ledger_entries (account_id, source, source_id, amount_micro_vnd)
    select id, 'credit', 'bench ' || id, ${credit} from accounts`
  await sql`insert into keys (id, account_id, name, slot, secret_hash, hint)
    select 'key_' || i, 'acc_' || i, 'bench', 0, sha256(i::text::bytea), '' from generate_series(0, ${last}::int) i`
  await sql.unsafe("vacuum (analyze)")
}

/** One account more, with so many µVND. */
export const openAccount = async (sql: Sql, name: string, amount: bigint): Promise<KeyIdentity> => {
  const { accountId, keyId } = customerOf(name)
  await sql`insert into accounts (id, email) values (${accountId}, ${`${name}@example.com`})`
  await sql`insert into wallets (account_id, booked_micro_vnd) values (${accountId}, ${amount})`
  await sql`insert into ledger_entries (account_id, source, source_id, amount_micro_vnd)
    values (${accountId}, 'credit', ${`bench ${name}`}, ${amount})`
  await sql`insert into keys (id, account_id, name, slot, secret_hash, hint)
    values (${keyId}, ${accountId}, 'bench', 0, sha256(${name}::text::bytea), '')`
  return customerOf(name)
}
