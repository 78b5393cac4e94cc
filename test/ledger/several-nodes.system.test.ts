/** Three real nodes on one database: crowds that a wallet can pay for exactly, and a node that freezes in their midst. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { Nodes, type Outcome } from "../chaos/Nodes.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { withSql } from "../storage/with-sql.ts"
import { auditOf } from "./start-ledger.ts"
import { delay } from "../delay.ts"

let nodes: Nodes
beforeAll(async () => {
  const database = await startTestDatabase()
  nodes = await Nodes.start(3, database)
  await countClaims(database)
})
afterAll(() => nodes.stop())

const served = (outcomes: ReadonlyArray<Outcome>) => outcomes.filter(({ whole }) => whole)

describe("three nodes on one database", () => {
  it("serve every call that a wallet can pay for, however they are spread, and none beyond", async () => {
    const { accountId, key } = await nodes.customer(600)
    const outcomes = await nodes.crowd(key, 24)
    assert.strictEqual(served(outcomes).length, 600)
    const firstRefusalMs = Math.min(
      ...outcomes.filter(({ status }) => status === 402).map(({ atMs }) => atMs)
    )
    // A loaded machine takes some seconds for the last of them; a node that kept money for itself would for its lease's time.
    const late = served(outcomes).filter(({ atMs }) => atMs > firstRefusalMs + 10_000)
    assert.deepStrictEqual(late, [], "nobody is refused while there is money for others")
    const { balance, charged } = await nodes.books(accountId)
    assert.strictEqual(balance, 0n)
    assert.deepStrictEqual(charged, new Set(served(outcomes).map(({ id }) => id)))
  })

  it("serve every call that the budget of a key pays for, and none beyond, whatever the wallet has", async () => {
    const { accountId, key } = await nodes.customer(300, 150)
    const outcomes = await nodes.crowd(key, 12)
    const { charged } = await nodes.books(accountId)
    assert.strictEqual(served(outcomes).length, 150)
    assert.deepStrictEqual(charged, new Set(served(outcomes).map(({ id }) => id)))
  })

  it("know of every call whether its wallet pays for it, however many small parts move between them", async () => {
    const statuses = new Set<number>()
    for (let round = 0; round < 15; round++) {
      const { key } = await nodes.gateways[0]!.account("16")
      const calls = Array.from({ length: 40 }, async (_, index) => {
        const answer = await fetch(`${nodes.gateways[index % 3]!.url}/v1/messages`, {
          method: "POST",
          headers: { "x-api-key": key },
          body: JSON.stringify({
            model: "claude-haiku-4-5",
            stream: index % 3 === 0,
            // What is held, and mostly given back.
            max_tokens: 20 + ((37 * index + 11 * round) % 100),
            messages: [{ role: "user", content: `[sim: latency=${30 * (index % 4)}]` }]
          })
        })
        await answer.text()
        statuses.add(answer.status)
      })
      await Promise.all(calls)
    }
    assert.deepStrictEqual([...statuses].toSorted(), [200, 402])
  })

  it("make no more than a claim a second for calls that cost more than there is", async () => {
    const { key } = await nodes.gateways[0]!.account("16")
    const statuses = new Set<number>()
    const crowd = (turns: number) => {
      const caller = async (_: unknown, first: number) => {
        for (let turn = 0; turn < turns; turn++)
          statuses.add((await nodes.call((first + turn) % 3, key)).status)
      }
      return Promise.all(Array.from({ length: 6 }, caller))
    }
    // Until each node knows how little there is.
    await crowd(15)
    const before = await claimsOf(nodes.database)
    const begunMs = performance.now()
    await crowd(150)
    assert.deepStrictEqual([...statuses], [402])
    // On a loaded machine the first crowd may not have sufficed, or a node have lost its lease.
    assert.isAtMost((await claimsOf(nodes.database)) - before, 20 + (performance.now() - begunMs) / 1_000)
  })

  it("go on when one of them freezes, spend its part after its lease, and it spends nothing when it wakes", async () => {
    const { accountId, key } = await nodes.customer(400)
    const frozen = nodes.gateways[2]!
    // All three have a part of the wallet, and the one that freezes a call under way.
    const before = await nodes.crowd(key, 6, { goesOn: untilCalls(30) })
    const under = nodes.call(2, key, "[sim: latency=3000]")
    await delay(500)
    frozen.signal("SIGSTOP")
    const outcomes = await nodes.crowd(key, 12, { nodes: [0, 1] })
    frozen.signal("SIGCONT")
    const late = [await under, ...(await Promise.all(Array.from({ length: 6 }, () => nodes.call(2, key))))]
    const { balance, charged } = await nodes.books(accountId)
    assert.isAtLeast(Number(balance), 0)
    const all = served([...before, ...outcomes, ...late])
    assert.deepStrictEqual(charged, new Set(all.map(({ id }) => id)))
    assert.isAtLeast(all.length, 399, "what the frozen node had was spent by the others")
    assert.deepStrictEqual((await auditOf(nodes.database.url)).violations, [])
  })
})

/** Each claim of a wallet adds a line for its node, or meets the one that is there. */
const countClaims = ({ url }: TestDatabase) =>
  withSql(url, (sql) =>
    sql.unsafe(`
      create sequence test_claims minvalue 0;
      create function count_test_claim() returns trigger language plpgsql as
        $$ begin perform nextval('test_claims'); return new; end $$;
      create trigger test_claims before insert on wallet_escrows for each row execute function count_test_claim()`)
  )

const claimsOf = ({ url }: TestDatabase) =>
  withSql(url, async (sql) => {
    const [row] = await sql<[{ claims: number }]>`select last_value::int4 as claims from test_claims`
    return row.claims
  })

const untilCalls = (count: number) => {
  let calls = 0
  return () => calls++ < count
}
