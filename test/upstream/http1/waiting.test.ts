/** Calls that find no idle connection: which one they get, and what becomes of it when they are given up. */
import { assert, describe, it, vi } from "vitest"
import { delay } from "../../delay.ts"
import { deadPort, endAfterEach, reply, startStub } from "../stub-providers.ts"
import { collect, failureOf, listening, poolTo, request } from "./collect.ts"
import { endSecureAfterEach, startSecureProvider } from "./secure-provider.ts"
import { until } from "../../until.ts"

endAfterEach()
endSecureAfterEach()

/** A provider whose connections, from the second on, wait in their handshake until they are let on. */
const startHeldUp = async (free: number) => {
  const provider = await startSecureProvider()
  const held: Array<() => void> = []
  let met = 0
  provider.meet = (_, onward) => void (++met > free ? held.push(onward) : onward())
  return { held, pool: provider.poolOf(), provider }
}

describe("a call that waits for a connection", () => {
  it("takes one that falls free before its own has come about, which then waits for the next call", async () => {
    const { held, pool, provider } = await startHeldUp(1)
    let answerFirst = () => {}
    provider.answer = (socket) => (answerFirst = () => socket.write(reply(200)))
    const first = collect(pool, request)
    await until(() => provider.calls === 1)
    const second = collect(pool, request)
    await until(() => held.length === 1)
    provider.answer = (socket) => void socket.write(reply(200))
    answerFirst()
    assert.strictEqual((await first)?.status, 200)
    assert.strictEqual((await second)?.status, 200)
    assert.strictEqual(provider.opened.length, 1)
    held[0]!()
    await until(() => provider.opened.length === 2)
    const answers = await Promise.all([collect(pool, request), collect(pool, request)])
    assert.deepStrictEqual(
      answers.map((answer) => answer?.status),
      [200, 200]
    )
    assert.strictEqual(provider.opened.length, 2)
  })

  it("and is given up leaves its handshake to the next one", async () => {
    const { held, pool, provider } = await startHeldUp(0)
    const heard: Array<unknown> = []
    const hears = (...what: ReadonlyArray<unknown>) => heard.push(what)
    const given = pool.send(request, 1_000, listening({ onHead: hears, onFailure: hears }))
    await until(() => held.length === 1)
    given.abort()
    const next = collect(pool, request)
    held[0]!()
    assert.strictEqual((await next)?.status, 200)
    assert.deepStrictEqual(heard, [])
    assert.deepStrictEqual([provider.opened.length, provider.calls, held.length], [1, 1, 1])
  })

  it.each([2, 8_000_000])(
    "that is idle and is given up never goes out, and harms nothing (%i bytes)",
    async (bytes) => {
      const stub = await startStub(reply(200))
      const pool = poolTo(stub)
      await collect(pool, request)
      await delay(5)
      const [socket] = stub.open
      for (let call = 0; call < 10; call++)
        pool.send({ ...request, body: Buffer.alloc(bytes) }, 1_000, listening({})).abort()
      await delay(20)
      assert.strictEqual((await collect(pool, request))?.status, 200)
      assert.deepStrictEqual([...stub.open], [socket])
      assert.strictEqual(stub.calls, 2)
      pool.close()
    }
  )

  it("fails in time where none comes about, though others have been waiting for longer", async () => {
    const { pool } = await startHeldUp(0)
    const patient = failureOf(pool, 60_000)
    assert.strictEqual(await failureOf(pool, 50), "connect timeout")
    pool.close()
    assert.strictEqual(await patient, "shutdown")
  })

  it("is one of more than are made at once, and all have theirs though none falls free meanwhile", async () => {
    const unanswered: Array<() => void> = []
    const pool = poolTo(await startStub((socket) => void unanswered.push(() => socket.write(reply(200)))))
    const answers = Array.from({ length: 150 }, () => collect(pool, request))
    await until(() => unanswered.length === 150)
    for (const answer of unanswered) answer()
    assert.isTrue((await Promise.all(answers)).every((answer) => answer?.status === 200))
    pool.close()
  })

  it("is one of many, for which no more than a few dozen connections are made at once", async () => {
    const { held, pool, provider } = await startHeldUp(0)
    const answers = Promise.all(Array.from({ length: 200 }, () => collect(pool, request, 10_000)))
    await until(() => held.length === 64)
    await delay(50)
    assert.strictEqual(held.length, 64)
    provider.meet = (_, onward) => onward()
    for (const onward of held) onward()
    assert.isTrue((await answers).every((answer) => answer?.status === 200))
    assert.isAtMost(provider.opened.length, 200)
  })

  it("is one of many, and all of them fail where none can be made", async () => {
    const pool = poolTo({ port: await deadPort() })
    const reasons = await Promise.all(Array.from({ length: 200 }, () => failureOf(pool)))
    assert.deepStrictEqual([...new Set(reasons)], ["ECONNREFUSED"])
  })

  it("does not fail with a connection while another is being made for it", async () => {
    const { held, pool, provider } = await startHeldUp(0)
    const given = pool.send(request, 1_000, listening({}))
    const answer = collect(pool, request)
    await until(() => held.length === 2)
    given.abort()
    const [first] = provider.ways
    first!.destroy()
    await delay(20)
    held[1]!()
    assert.strictEqual((await answer)?.status, 200)
  })

  it("does not fail with a connection that was begun before it came", async () => {
    const { held, pool, provider } = await startHeldUp(0)
    pool.send(request, 1_000, listening({})).abort()
    await until(() => held.length === 1)
    provider.meet = (_, onward) => onward()
    const answer = collect(pool, request)
    const [first] = provider.ways
    first!.destroy()
    assert.strictEqual((await answer)?.status, 200)
  })

  it("does not count on one that should have come about long ago", async () => {
    const { held, pool, provider } = await startHeldUp(0)
    pool.send(request, 60_000, listening({})).abort()
    await until(() => held.length === 1)
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 1_001)
    provider.meet = (_, onward) => onward()
    assert.strictEqual((await collect(pool, request))?.status, 200)
    clock.mockRestore()
  })

  it("gets a new one where the idle one that it counted on is closed", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    await collect(pool, request)
    await delay(5)
    for (const socket of stub.open) socket.destroy()
    await until(() => stub.open.size === 0)
    assert.strictEqual((await collect(pool, request))?.status, 200)
    pool.close()
  })
})
