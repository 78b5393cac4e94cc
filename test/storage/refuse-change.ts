/** A change that the database does not take, as where a connection is cut just before it: what is asked in several steps stops there. */
import type { Sql } from "../../src/storage/Database.ts"

/** `change` as in `update of verified on two_factors`. */
export const refusing = async <A>(sql: Sql, change: string, work: () => Promise<A>): Promise<A> => {
  await sql.unsafe(`create function refuse_for_test() returns trigger language plpgsql as $$
    begin raise 'refused for a test'; end $$`)
  await sql.unsafe(
    `create trigger refused_for_test before ${change} for each row execute function refuse_for_test()`
  )
  try {
    return await work()
  } finally {
    await sql.unsafe("drop function refuse_for_test cascade")
  }
}
