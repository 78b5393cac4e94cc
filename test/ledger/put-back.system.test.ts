/** Nodes that run while their database is put back to an earlier moment: what they were told since counts no more. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { revokeKey } from "../../src/accounts/keys.ts"
import { fromVnd } from "../../src/domain/money.ts"
import { auditBooks } from "../../src/storage/audit/audit-books.ts"
import { Database } from "../../src/storage/Database.ts"
import { Nodes, pricePerCall } from "../chaos/Nodes.ts"
import { DatabaseBackup } from "../storage/DatabaseBackup.ts"
import { until } from "../until.ts"

let nodes: Nodes
let backup: DatabaseBackup | undefined

beforeAll(async () => {
  nodes = await Nodes.start(2)
}, 60_000)
afterAll(async () => {
  await nodes?.stop()
  await backup?.drop()
})

const ready = (node: number) =>
  until(
    async () => (await fetch(`${nodes.gateways[node]!.url}/readyz`).catch(() => undefined))?.ok === true,
    60
  )

const statuses = async (node: number, key: string, calls: number) => {
  const seen: Array<number> = []
  for (let call = 0; call < calls; call++) seen.push((await nodes.call(node, key)).status)
  return seen
}

const violations = () =>
  nodes.gateways[0]!.run(
    Effect.flatMap(Database, (database) => database.run("audit", (sql) => auditBooks(sql, "all")))
  ).then((findings) => findings.violations)

describe("nodes whose database is put back", () => {
  it("spend what it has, obey what is said to it from then on, and charge each call once", async () => {
    const [one] = nodes.gateways
    const customer = await nodes.customer(10)
    const revoked = await nodes.customer(10)
    assert.deepStrictEqual(await statuses(0, customer.key, 2), [200, 200])
    assert.deepStrictEqual(await statuses(0, revoked.key, 1), [200])
    backup = await DatabaseBackup.of(nodes.database.url)
    for (const node of [0, 1]) await ready(node)
    // What both come to know and the database will not.
    for (let times = 0; times < 3; times++)
      await one!.credit(customer.accountId, String(100 * pricePerCall()))
    const lost = await nodes.customer(10)
    for (const node of [0, 1]) {
      assert.deepStrictEqual(await statuses(node, customer.key, 2), [200, 200])
      assert.deepStrictEqual(await statuses(node, lost.key, 1), [200])
    }

    await backup.putBack()
    const forgotten = "put back to an earlier moment"
    for (const gateway of nodes.gateways) assert.include(await gateway.logged(forgotten), "begins anew")
    for (const node of [0, 1]) await ready(node)

    // Told under a number of which the nodes had heard.
    await one!.run(revokeKey(revoked.keyId, "test"))
    for (const node of [0, 1]) {
      assert.deepStrictEqual(await statuses(node, revoked.key, 1), [401])
      assert.deepStrictEqual(await statuses(node, lost.key, 1), [401])
    }
    assert.deepStrictEqual(await statuses(0, customer.key, 4), [200, 200, 200, 200])
    assert.deepStrictEqual(await statuses(1, customer.key, 6), [200, 200, 200, 200, 402, 402])
    assert.strictEqual(await one!.balance(customer.accountId), 0n)
    assert.strictEqual(await one!.balance(revoked.accountId), fromVnd(BigInt(9 * pricePerCall())))
    assert.deepStrictEqual(await violations(), [])
  })

  it("begin anew where it has lost but the last of what it told", async () => {
    const [one] = nodes.gateways
    const customer = await nodes.customer(1)
    await one!.credit(customer.accountId, "1")
    await until(() =>
      one!.sql(
        async (sql) =>
          (
            await sql`select from nodes where gone_at is null
      and seen_event_id < (select max(id) from node_events)`
          ).length === 0
      )
    )
    const before = one!.log.length
    await one!.sql((sql) => sql`delete from node_events where id = (select max(id) from node_events)`)
    await until(() => one!.log.slice(before).includes("put back to an earlier moment"))
    await ready(0)
    assert.deepStrictEqual(await statuses(0, customer.key, 2), [200, 402])
  })

  it("have a journal of their new life once they are ready, though its connection was never cut", async () => {
    const [one] = nodes.gateways
    const customer = await nodes.customer(2)
    assert.deepStrictEqual(await statuses(0, customer.key, 1), [200])
    const before = one!.log.length
    await one!.sql((sql) => sql`update nodes set gone_at = clock_timestamp() where gone_at is null`)
    await until(() => one!.log.slice(before).includes("was taken for gone"))
    await ready(0)
    assert.deepStrictEqual(await statuses(0, customer.key, 2), [200, 402])
    assert.notInclude(one!.log.slice(before), "Database away")
  })
})
