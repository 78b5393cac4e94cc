import { assert, describe, it } from "@effect/vitest"
import type { Connection } from "../../src/storage/postgres/Connection.ts"
import {
  ConnectionPool,
  NoFreeConnection,
  type PoolOptions
} from "../../src/storage/postgres/ConnectionPool.ts"

class FakeConnection {
  hasEnded = false
  readonly sql = this
  close(): Promise<void> {
    this.hasEnded = true
    return Promise.resolve()
  }
}

const makePool = (options: Partial<PoolOptions> = {}) => {
  const opened: Array<FakeConnection> = []
  const pool = new ConnectionPool(() => {
    const connection = new FakeConnection()
    opened.push(connection)
    return connection as unknown as Connection
  }, options)
  return { pool, opened }
}
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "given",
    (cause: unknown) => (cause instanceof NoFreeConnection ? cause.message : "another failure")
  )

describe("a pool of connections", () => {
  it("lends one to each work, and the same again", async () => {
    const { opened, pool } = makePool()
    const first = await pool.take()
    const second = await pool.take()
    assert.notStrictEqual(first.sql, second.sql)
    first.release()
    assert.strictEqual((await pool.take()).sql, first.sql)
    assert.strictEqual(opened.length, 2)
  })

  it("gives those that wait what comes back, in their order", async () => {
    const { pool } = makePool({ connectionsMax: 1 })
    const first = await pool.take()
    const order: Array<string> = []
    const wait = (name: string) => pool.run(async () => void order.push(name))
    const waiting = [wait("second"), wait("third")]
    first.release()
    // What is given back twice is one connection all the same.
    first.release()
    await Promise.all(waiting)
    assert.deepStrictEqual(order, ["second", "third"])
  })

  it("lends none that has ended, neither idle nor to those that wait", async () => {
    const { opened, pool } = makePool({ connectionsMax: 1 })
    const first = await pool.take()
    const waiting = pool.take()
    opened[0]!.hasEnded = true
    first.release()
    const second = await waiting
    assert.strictEqual(second.sql as unknown, opened[1])
    second.release()
    opened[1]!.hasEnded = true
    assert.strictEqual((await pool.take()).sql as unknown, opened[2])
  })

  it("gives the connection back when the work fails", async () => {
    const { opened, pool } = makePool({ connectionsMax: 1 })
    assert.strictEqual(await reasonOf(pool.run(() => Promise.reject(new Error("a bug")))), "another failure")
    await pool.run(() => Promise.resolve())
    assert.strictEqual(opened.length, 1)
  })

  it("replaces what is old when it comes back", async () => {
    const { opened, pool } = makePool({ ageMsMax: -1 })
    await pool.run(() => Promise.resolve())
    await pool.run(() => Promise.resolve())
    assert.isTrue(opened[0]!.hasEnded)
    assert.strictEqual(opened.length, 2)
  })

  it("closes those that are idle once another gave no answer", async () => {
    const { opened, pool } = makePool()
    const [silent, idle, busy] = [await pool.take(1), await pool.take(), await pool.take()]
    idle.release()
    await silent.overdue.catch(() => {})
    silent.release()
    assert.deepStrictEqual(
      opened.map(({ hasEnded }) => hasEnded),
      [true, true, false]
    )
    assert.strictEqual((await pool.take()).sql as unknown, opened[3])
    busy.release()
  })

  it("lets so many wait and so long, and no more", async () => {
    const { pool } = makePool({ connectionsMax: 1, waitingMax: 1, waitMs: 1 })
    const first = await pool.take()
    const waiting = reasonOf(pool.take())
    assert.include(await reasonOf(pool.take()), "too many wait")
    assert.include(await waiting, "waited too long")
    first.release()
    assert.strictEqual(await reasonOf(pool.run(() => Promise.resolve())), "given")
  })

  it("closes all of them, and refuses whoever waits or comes later", async () => {
    const { opened, pool } = makePool({ connectionsMax: 2 })
    const first = await pool.take()
    const second = await pool.take()
    const waiting = reasonOf(pool.take())
    second.release()
    await pool.close()
    assert.strictEqual(await waiting, "given")
    assert.isTrue(opened.every(({ hasEnded }) => hasEnded))
    first.release()
    assert.include(await reasonOf(pool.take()), "the program ends")
  })
})
