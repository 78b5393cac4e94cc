/** The server's clock is set back by an hour, or another server's is behind it after a fail-over. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import type { Sql } from "../../src/storage/Database.ts"
import { claimWallets } from "../../src/storage/EscrowStore.ts"
import { takePermits } from "../../src/storage/keys/LimitStore.ts"
import { beat, beginJournal, type KnownNode, registerNode } from "../../src/storage/NodeStore.ts"
import { stillClock } from "../simulation/still-clock.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { openSql } from "./with-sql.ts"

let database: TestDatabase
let sql: Sql & { end(): Promise<void> }
beforeEach(async () => {
  database = await startTestDatabase()
  sql = openSql(database.url) as unknown as typeof sql
  await sql.unsafe(stillClock)
})
afterEach(async () => {
  await sql.end()
  await database.stop()
})

const pass = async (seconds: number) => {
  await sql`update test_time.clock set at = at + ${seconds}::float8 * interval '1 second'`
}

const nowMs = async () => {
  const [{ ms }] = await sql<
    [{ ms: number }]
  >`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
  return ms
}

const sincePassed = async (node: KnownNode, seconds: number) => {
  for (let second = 0; second < seconds; second++) {
    await pass(1)
    await beat(sql, node, 0n, await nowMs())
  }
}

/** One node asks for what another has, and has waited half a second. */
const wantWhatOtherHas = async () => {
  const accountId = "acc_1" as AccountId
  await sql`insert into accounts (id, email) values (${accountId}, 'a@example.com')`
  await sql`insert into wallets (account_id, booked_micro_vnd) values (${accountId}, 1000)`
  const [one, other] = [await registerNode(sql, "one", []), await registerNode(sql, "other", [])]
  const session = { nodeId: one.id, slot: one.slot, session: (await beginJournal(sql, one))! }
  await sql`insert into wallet_escrows (account_id, node_id, amount_micro_vnd, exact) values (${accountId}, ${other.id}, 1000, true)`
  const isUnheard = async () => {
    const asks = new Map([[accountId, { minimum: 100n, wanted: 100n, waitedMs: 500 }]])
    return (await claimWallets(sql, session, asks))![0]!.isUnheard
  }
  return { isUnheard, one, other }
}

describe("a clock of the database that is set back", () => {
  it("leaves a node that dies just then its part for no longer than 10 s", async () => {
    const node = await registerNode(sql, "lives", [])
    const other = await registerNode(sql, "dies", [])
    await sincePassed(node, 2)
    await beat(sql, other, 0n, await nowMs())
    await pass(-3_600)
    await sincePassed(node, 5)
    assert.strictEqual((await beat(sql, node, 0n, undefined))!.liveNodes, 2)
    await sincePassed(node, 5)
    assert.strictEqual((await beat(sql, node, 0n, undefined))!.liveNodes, 1)
    assert.isUndefined(await beat(sql, other, 0n, undefined))
  })

  it("leaves a node that goes on renewing what it has, and lets it judge others after a lease", async () => {
    const [one, other] = [await registerNode(sql, "one", []), await registerNode(sql, "other", [])]
    await pass(-3_600)
    for (let second = 0; second < 20; second++) {
      await sincePassed(one, 1)
      assert.strictEqual((await beat(sql, other, 0n, await nowMs()))!.liveNodes, 2)
    }
    await sincePassed(one, 10)
    assert.isUndefined(await beat(sql, other, 0n, undefined))
  })

  it("takes nobody for heard who was heard before, so that nobody is refused by it", async () => {
    const { isUnheard, other } = await wantWhatOtherHas()
    await beat(sql, other, 0n, await nowMs())
    assert.isFalse(await isUnheard())
    await pass(-3_600)
    assert.isTrue(await isUnheard())
    // By the clock as it was before.
    await beat(sql, other, 0n, (await nowMs()) + 3_600_000)
    assert.isTrue(await isUnheard())
    await pass(1)
    await beat(sql, other, 0n, await nowMs())
    assert.isFalse(await isUnheard())
  })

  it("takes nobody for heard who has been silent for as long as it is set back", async () => {
    const { isUnheard, one, other } = await wantWhatOtherHas()
    await beat(sql, other, 0n, await nowMs())
    await sincePassed(one, 4)
    assert.isTrue(await isUnheard())
    await pass(-4.2)
    assert.isTrue(await isUnheard())
    await beat(sql, one, 0n, await nowMs())
    assert.isTrue(await isUnheard())
    await beat(sql, other, 0n, await nowMs())
    assert.isFalse(await isUnheard())
  })

  it("keeps a key that has used up its minute waiting for a minute at most", async () => {
    const ask = { keyId: "key_1" as KeyId, calls: 3, perMinute: 3 }
    assert.strictEqual((await takePermits(sql, [ask]))[0]!.granted, 3)
    await pass(-3_600)
    const [permit] = await takePermits(sql, [ask])
    assert.deepInclude(permit, { granted: 0, retryAfterMs: 60_000 })
    await pass(30)
    assert.strictEqual((await takePermits(sql, [ask]))[0]!.retryAfterMs, 30_000)
    await pass(30)
    assert.strictEqual((await takePermits(sql, [ask]))[0]!.granted, 3)
  })
})
