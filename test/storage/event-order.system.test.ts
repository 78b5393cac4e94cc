/** Whoever has seen all events up to one has missed none, whatever transactions announced them at once, and were taken back. */
import { assert, describe, it } from "@effect/vitest"
import postgres from "postgres"
import { afterAll, beforeAll } from "vitest"
import { announceEvent } from "../../src/storage/announce-event.ts"
import type { Sql } from "../../src/storage/Database.ts"
import { beat, eventsAfter, leaveNode, nodesBehind, registerNode } from "../../src/storage/NodeStore.ts"
import { delay } from "../delay.ts"
import { Random, seeds } from "../Random.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"

let database: TestDatabase
let sql: Sql
beforeAll(async () => {
  database = await startTestDatabase()
  sql = postgres(database.url, {
    max: 12,
    types: { bigint: postgres.BigInt },
    onnotice: () => {}
  }) as unknown as Sql
})
afterAll(async () => {
  await (sql as unknown as postgres.Sql).end()
  await database.stop()
})

const writers = 6
const changesOfEach = 8

class TakenBack extends Error {}

/** What has been committed, and is told of as such; each is named by its subject. */
const write = async (random: Random, name: string, committed: Map<string, bigint>) => {
  for (let each = 0; each < changesOfEach; each++) {
    const subject = `${name} ${each}`
    const isTakenBack = random.chance(0.2)
    const [beforeMs, afterMs] = [random.below(4), random.below(4)]
    try {
      const id = await sql.begin(async (transaction) => {
        await transaction`select 1`
        await delay(beforeMs)
        const eventId = await announceEvent(transaction, "wallet", subject)
        await delay(afterMs)
        if (isTakenBack) throw new TakenBack()
        return eventId
      })
      committed.set(subject, id)
    } catch (cause) {
      if (!(cause instanceof TakenBack)) throw cause
    }
  }
}

/** One that follows as a lease does; answers what it was told of, from which event on. */
const follow = async (random: Random, token: string, isOver: () => boolean) => {
  await delay(random.below(30))
  const node = await registerNode(sql, token, [])
  const { eventId: from } = node
  const heard: Array<string> = []
  let seen = from
  for (let isLast = false; !isLast;) {
    isLast = isOver()
    const latest = (await beat(sql, node, seen, undefined))!.latestEventId
    if (latest > seen) {
      for (const { id, subject } of await eventsAfter(sql, seen)) {
        heard.push(subject)
        seen = id
      }
      assert.isTrue(seen >= latest)
    }
    await delay(random.below(3))
  }
  await beat(sql, node, seen, undefined)
  return { from, heard, node, seen }
}

describe("events", () => {
  it.each(seeds(3))("are missed by none that follows them, seed %i", async (seed) => {
    const random = new Random(seed)
    const committed = new Map<string, bigint>()
    let isOver = false
    const following = ["first", "second", "third"].map((name) =>
      follow(new Random(random.below(1e9)), `${seed} ${name}`, () => isOver)
    )
    const names = Array.from({ length: writers }, (_, number) => `${seed} writer ${number}`)
    await Promise.all(names.map((name) => write(new Random(random.below(1e9)), name, committed)))
    isOver = true
    const followers = await Promise.all(following)
    const inOrder = [...committed].sort(([, one], [, other]) => (one < other ? -1 : 1))
    for (const { from, heard, node, seen } of followers) {
      assert.deepStrictEqual(
        heard,
        inOrder.filter(([, id]) => id > from).map(([subject]) => subject)
      )
      const [, last] = inOrder.at(-1)!
      assert.strictEqual(seen, last)
      assert.notInclude(await nodesBehind(sql, last), node.id)
      assert.include(await nodesBehind(sql, last + 1n), node.id)
      await leaveNode(sql, node)
      assert.notInclude(await nodesBehind(sql, last + 1n), node.id)
    }
  })
})
