/** A database that is put back to an earlier moment does not take a node for what it was told since. */
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { beat, beginJournal, leaveNode, registerNode, remembersNode } from "../../src/storage/NodeStore.ts"
import { tidy } from "../../src/storage/months/keep-tidy.ts"
import { DatabaseBackup } from "./DatabaseBackup.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import type { Sql } from "../../src/storage/Database.ts"
import { withSql } from "./with-sql.ts"

let database: TestDatabase
let backup: DatabaseBackup | undefined

beforeAll(async () => {
  database = await startTestDatabase()
})
afterEach(async () => {
  await backup?.drop()
  backup = undefined
})
afterAll(() => database.stop())

const onDatabase = <A>(use: (sql: Sql) => Promise<A>): Promise<A> =>
  withSql(database.url, (sql) => use(sql as unknown as Sql))

describe("a database that was put back", () => {
  it("knows nothing of a node that was made since, whoever has its number by now", async () => {
    backup = await DatabaseBackup.of(database.url)
    const node = await onDatabase((sql) => registerNode(sql, "lost", []))
    await backup.putBack()
    await onDatabase(async (sql) => {
      const other = await registerNode(sql, "other", [])
      assert.strictEqual(other.id, node.id)
      assert.isUndefined(await beat(sql, node, 0n, undefined))
      assert.isUndefined(await beginJournal(sql, node))
      assert.isFalse(await remembersNode(sql, { ...node, renewedAtMs: Date.now() }))
      await leaveNode(sql, node)
      assert.strictEqual((await beat(sql, other, 0n, undefined))?.liveNodes, 1)
      assert.strictEqual(await beginJournal(sql, other), 1)
    })
  })

  it("does not renew the lease of a node whose last renewals it has lost", async () => {
    const node = await onDatabase((sql) => registerNode(sql, "renews", []))
    const renew = (renewals: number) =>
      onDatabase((sql) => beat(sql, { ...node, renewals }, 0n, undefined)).then((answer) => answer?.renewals)
    assert.strictEqual(await renew(0), 1)
    backup = await DatabaseBackup.of(database.url)
    assert.strictEqual(await renew(1), 2)
    // An answer that was lost is none.
    assert.strictEqual(await renew(1), 3)
    await backup.putBack()
    assert.isUndefined(await renew(3))
    await onDatabase(async (sql) => {
      assert.isUndefined(await beginJournal(sql, { ...node, renewals: 3 }))
      assert.isFalse(await remembersNode(sql, { ...node, renewals: 3, renewedAtMs: 0 }))
      assert.isTrue(await remembersNode(sql, { ...node, renewals: 1 }))
    })
  })

  it("is not blamed where a node was away for so long that nothing is known of it any more", async () => {
    await onDatabase(async (sql) => {
      const node = await registerNode(sql, "long away", [])
      const { atMs } = (await beat(sql, node, 0n, undefined))!
      await leaveNode(sql, node)
      assert.isTrue(await remembersNode(sql, { ...node, renewals: 1, renewedAtMs: atMs }))
      await sql`update nodes set gone_at = now() - interval '25 hours' where id = ${node.id}`
      await tidy(sql)
      assert.isFalse(await remembersNode(sql, { ...node, renewedAtMs: atMs }))
      assert.isFalse(await remembersNode(sql, node))
      assert.isTrue(await remembersNode(sql, { ...node, renewedAtMs: atMs - 25 * 3_600_000 }))
    })
  })
})
