/** A price that is set for a moment holds on every node from that moment on, by itself. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { afterAll, beforeAll } from "vitest"
import { awaitNodes } from "../../src/accounts/await-nodes.ts"
import { addPriceChanges, cancelPriceChanges } from "../../src/storage/PriceStore.ts"
import { readOverrides } from "../../src/storage/SettingsStore.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { messagesCall } from "./ask.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"
import { delay } from "../delay.ts"
import { until } from "../until.ts"

const model = "claude-sonnet-5"
const former = 6_500
/** By then every node knows that the moment has come: each is behind the database's clock by as long as its last answer took. */
const knownMs = 1_000

let database: TestDatabase
let nodes: ReadonlyArray<TestGateway>
beforeAll(async () => {
  database = await startTestDatabase()
  nodes = [
    await startGateway({ databaseUrl: database.url }),
    await startGateway({ databaseUrl: database.url })
  ]
})
afterAll(async () => {
  for (const node of nodes ?? []) await node.stop()
  await database?.stop()
})

/** For a moment so many seconds from now; answered when all nodes know. */
const setPrice = async (price: number, seconds: number) => {
  const [node] = nodes
  const set = await node!.sql((sql) =>
    sql.begin(async (transaction) => {
      const from = new Date(Date.now() + seconds * 1_000)
      const eventId = await addPriceChanges(
        transaction,
        [{ model, former, price, unit: "mtok" }],
        from,
        "test"
      )
      const [{ batch }] = await transaction<[{ batch: string }]>`
        select batch::text from price_changes order by id desc limit 1`
      return { batch, eventId, fromMs: from.getTime() }
    })
  )
  await node!.run(awaitNodes(set.eventId))
  return set
}

interface Seen {
  readonly begunMs: number
  readonly endedMs: number
  readonly price: number
}

const callOn = async (node: TestGateway, key: string): Promise<Seen> => {
  const begunMs = Date.now()
  const answer = await fetch(`${node.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ ...messagesCall("Hello"), model })
  })
  assert.strictEqual(answer.status, 200)
  const id = answer.headers.get("request-id")!
  await answer.text()
  const [row] = await node.sql(
    (sql) => sql<Array<{ price: bigint }>>`select per_mtok_vnd as price from calls where id = ${id}`
  )
  return { begunMs, endedMs: Date.now(), price: Number(row!.price) }
}

describe("a price for a moment", () => {
  it("is that of no call before it and of every call after it, on each of two nodes", async () => {
    const { key } = await nodes[0]!.account("1000000")
    // Long enough for a loaded machine to make calls before it.
    const { fromMs } = await setPrice(7_150, 8)
    const seen = await Promise.all(
      nodes.map(async (node) => {
        const calls: Array<Seen> = []
        while (calls.filter(({ begunMs }) => begunMs > fromMs + knownMs).length < 2) {
          calls.push(await callOn(node, key))
          await delay(50)
        }
        return calls
      })
    )
    for (const calls of seen) {
      const before = calls.filter(({ endedMs }) => endedMs < fromMs)
      assert.isNotEmpty(before)
      assert.deepStrictEqual([...new Set(before.map(({ price }) => price))], [former])
      const after = calls.filter(({ begunMs }) => begunMs > fromMs + knownMs)
      assert.deepStrictEqual([...new Set(after.map(({ price }) => price))], [7_150])
    }
  })

  it("is not that of a call which began before it and whose request was whole after it", async () => {
    const { key } = await nodes[0]!.account("1000000")
    const body = JSON.stringify({ ...messagesCall("Hello"), model })
    const sent = request(`${nodes[0]!.url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json", "content-length": body.length }
    })
    sent.write(body.slice(0, 10))
    const { price } = await callOn(nodes[0]!, key)
    const { fromMs } = await setPrice(7_700, 3)
    await until(() => Date.now() > fromMs + knownMs, 30)
    assert.strictEqual((await callOn(nodes[0]!, key)).price, 7_700)
    sent.end(body.slice(10))
    const [answer] = (await once(sent, "response")) as [IncomingMessage]
    answer.resume()
    await once(answer, "end")
    const id = String(answer.headers["request-id"])
    const [row] = await nodes[0]!.sql(
      (sql) => sql<Array<{ price: bigint }>>`select per_mtok_vnd as price from calls where id = ${id}`
    )
    assert.strictEqual(Number(row!.price), price)
  })

  it("never holds once it is cancelled; what is about to hold can not be", async () => {
    const { key } = await nodes[0]!.account("1000000")
    const cancel = (batch: string) => nodes[0]!.sql((sql) => cancelPriceChanges(sql, batch, "test"))
    const soon = await setPrice(8_000, 3)
    assert.deepStrictEqual(await cancel(soon.batch), { _tag: "TooLate" })
    const later = await setPrice(9_000, 3_600)
    const isSet = async () => {
      const overrides = await nodes[0]!.sql(readOverrides)
      return overrides[model]?.later?.some(({ price_vnd: price }) => price === 9_000) ?? false
    }
    assert.isTrue(await isSet())
    const cancelled = await cancel(later.batch)
    assert.strictEqual(cancelled._tag, "Cancelled")
    if (cancelled._tag === "Cancelled") await nodes[0]!.run(awaitNodes(cancelled.eventId))
    assert.isFalse(await isSet())
    await until(() => Date.now() > soon.fromMs + knownMs, 30)
    for (const node of nodes) assert.strictEqual((await callOn(node, key)).price, 8_000)
  })
})
