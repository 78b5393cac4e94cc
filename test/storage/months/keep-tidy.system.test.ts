import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { tidy } from "../../../src/storage/months/keep-tidy.ts"
import { registerNode } from "../../../src/storage/NodeStore.ts"
import { startTestDatabase, type TestDatabase } from "../start-database.ts"
import { openSql } from "../with-sql.ts"

let database: TestDatabase
let sql: ReturnType<typeof openSql>
beforeAll(async () => {
  database = await startTestDatabase()
  sql = openSql(database.url)
})
afterAll(async () => {
  await sql.end()
  await database.stop()
})

describe("keeping the tables tidy", () => {
  it("makes the call log's next months, and may be repeated", async () => {
    const [{ name }] = await sql<[{ name: string }]>`
      select 'calls_' || to_char(current_date + interval '2 months', 'YYYYMM') as name`
    // Not there yet where the month began since the databases of this run were made.
    await sql.unsafe(`drop table if exists ${name}`)
    await sql`delete from call_months where name = right(${name}, 6)`
    await tidy(sql)
    await tidy(sql)
    const [{ found }] = await sql<[{ found: boolean }]>`select to_regclass(${name}) is not null as found`
    assert.isTrue(found)
  })

  it("waits for who reads all calls no longer than those who hold of budgets may wait behind it", async () => {
    const [{ name }] = await sql<[{ name: string }]>`select max(name) as name from call_months`
    await sql.unsafe(`drop table calls_${name}`)
    await sql`delete from call_months where name = ${name}`
    const reader = openSql(database.url)
    try {
      await reader.unsafe("begin; lock table calls in access share mode")
      await sql`insert into verifications (id, identifier, value, expires_at) values ('old', 'old', '', now() - interval '1 hour')`
      const failure = await tidy(sql).then(
        () => undefined,
        (error: { code?: string }) => error.code
      )
      assert.strictEqual(failure, "55P03")
      assert.lengthOf(
        await sql`select from verifications where id = 'old'`,
        0,
        "all else is tidied meanwhile"
      )
      await reader.unsafe("rollback")
      await tidy(sql)
    } finally {
      await reader.end()
    }
    assert.lengthOf(await sql`select from call_months where name = ${name}`, 1)
  })

  it("makes each month that was missed, but one for all before a start with a clock that had no date", async () => {
    await sql`begin`
    const countMade = async (years: number) => {
      const [before] = await sql<[{ months: number }]>`select count(*)::int4 as months from call_months`
      await sql`select ensure_call_partitions((current_date + ${`${years} years`}::text::interval)::date)`
      const [after] = await sql<[{ months: number }]>`select count(*)::int4 as months from call_months`
      return after.months - before.months
    }
    assert.strictEqual(await countMade(2), 24)
    assert.strictEqual(await countMade(56), 4)
    await sql`rollback`
  })

  it("forgets old events and answers that nobody waits for, and keeps those of today", async () => {
    await sql`insert into node_events (kind, at) values ('old', now() - interval '3 days'), ('new', now())`
    const [event] = await sql<[{ id: bigint }]>`select id from node_events where kind = 'new'`
    await sql`insert into node_answers values (${event.id}, 1, '"1"'), (${event.id + 1_000n}, 1, '"1"')`
    await tidy(sql)
    const kinds = await sql<Array<{ kind: string }>>`select kind from node_events`
    assert.deepStrictEqual(
      kinds.map(({ kind }) => kind),
      ["new"]
    )
    const answers = await sql<Array<{ event_id: bigint }>>`select event_id from node_answers`
    assert.deepStrictEqual(
      answers.map((answer) => answer.event_id),
      [event.id]
    )
  })

  it("keeps the latest event, whose time may be long past while that of an older one is ahead", async () => {
    await sql`delete from node_events`
    await sql`
      insert into node_events (kind, at)
      values ('old', now() - interval '3 days'), ('ahead', now() + interval '3 days'), ('latest', now() - interval '3 days')`
    await tidy(sql)
    await tidy(sql)
    const kinds = await sql<Array<{ kind: string }>>`select kind from node_events order by id`
    assert.deepStrictEqual(
      kinds.map(({ kind }) => kind),
      ["ahead", "latest"]
    )
  })

  it("forgets sessions and links that have expired, and keeps those that have not", async () => {
    await sql`insert into people (id, name, email, email_verified) values ('acc_1', 'Lan', 'lan@example.com', false)`
    await sql`
      insert into sessions (id, expires_at, token, updated_at, person_id)
      values ('old', now() - interval '1 minute', 'a', now(), 'acc_1'),
        ('new', now() + interval '1 minute', 'b', now(), 'acc_1')`
    await sql`
      insert into verifications (id, identifier, value, expires_at)
      values ('old', 'a', 'acc_1', now() - interval '1 minute'), ('new', 'b', 'acc_1', now() + interval '1 minute')`
    await tidy(sql)
    const left = await sql<
      Array<{ id: string }>
    >`select id from sessions union all select id from verifications`
    assert.deepStrictEqual(
      left.map(({ id }) => id),
      ["new", "new"]
    )
  })

  it("forgets what calls held that are in the log or can not be open any more, and keeps the rest", async () => {
    await sql`insert into accounts (id, email) values ('acc_2', 'minh@example.com')`
    await sql`
      insert into keys (id, account_id, name, slot, secret_hash, hint)
      values ('key_1', 'acc_2', 'a', 0, ${Buffer.alloc(32)}, 'a')`
    const { id } = await registerNode(sql, "node", [])
    await sql`
      insert into key_holds (call_id, key_id, at, node_id, amount_micro_vnd)
      values ('open', 'key_1', date_trunc('second', now()), ${id}, 1), ('logged', 'key_1', date_trunc('second', now()), ${id}, 1),
        ('lost', 'key_1', now() - interval '25 hours', ${id}, 1)`
    await sql`
      insert into calls (id, at, account_id, key_id, endpoint, model_requested, model, stream, status, latency_ms)
      select call_id, at, 'acc_2', key_id, 'messages', 'm', 'm', false, 200, 1 from key_holds where call_id = 'logged'`
    await tidy(sql)
    const left = await sql<Array<{ call_id: string }>>`select call_id from key_holds`
    assert.deepStrictEqual(
      left.map((hold) => hold.call_id),
      ["open"]
    )
  })
})
