/** Codec workers that die, hang or are all busy: every call ends, and none is done twice in vain. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber } from "effect"
import { CodecPool, type CodecPoolOptions } from "../../src/compute/CodecPool.ts"
import { inPlaceBytesMax, shareableBuffer } from "../../src/compute/share-bytes.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { orders, slowStart, tailBytes } from "./misbehaving-worker.ts"
import { modelNamed } from "../catalogue.ts"

const worker = new URL("misbehaving-worker.ts", import.meta.url)

const somebody = "acc_somebody" as AccountId
const another = "acc_another" as AccountId

/** A large Messages body before some bytes that tell the worker what to do; they lie outside of the body proper. */
const orderedBody = (order: number, bytes = inPlaceBytesMax * 2, more: object = {}) => {
  const messages = [{ role: "user", content: "a".repeat(bytes) }]
  const text = Buffer.from(JSON.stringify({ model: "claude-sonnet-5", max_tokens: 10, messages, ...more }))
  const size = Math.ceil(text.length / 8) * 8
  const buffer = new SharedArrayBuffer(size + tailBytes)
  const body = new Uint8Array(buffer, 0, text.length)
  body.set(text)
  const tail = new Int32Array(buffer, size, 3)
  Atomics.store(tail, 0, order)
  return { body, taken: () => Atomics.load(tail, 1), takenBy: () => Atomics.load(tail, 2), tail }
}

/** As it comes from a client. */
const arrived = (body: Uint8Array) => {
  const shared = shareableBuffer(body.length)
  shared.set(body)
  return shared
}

/** Far more than the start of a worker takes. */
const taskCpuMsMax = 4_000

/** Lets a task go on that waits. */
const release = ({ tail }: { readonly tail: Int32Array }) => {
  Atomics.store(tail, 0, 0)
  Atomics.notify(tail, 0)
}

const model = modelNamed("claude-sonnet-5")
const prepare = (pool: CodecPool["Service"], body: Uint8Array, account = somebody) =>
  pool.prepare(account, {
    way: { endpoint: "messages", protocol: "messages" },
    model,
    body,
    anthropicBeta: ""
  })

const withPool = <A, E>(
  use: (pool: CodecPool["Service"]) => Effect.Effect<A, E>,
  options: Partial<CodecPoolOptions> = {}
) =>
  Effect.runPromise(
    Effect.flatMap(CodecPool, use).pipe(
      Effect.provide(CodecPool.layer({ threads: 1, queueMax: 8, worker, ...options }))
    )
  )

describe("a codec worker", { timeout: 180_000 }, () => {
  it("prepares a large body as the thread itself would, and gives its bytes back", () =>
    withPool((pool) =>
      Effect.gen(function* () {
        const { body } = orderedBody(0)
        const small = orderedBody(0, 10)
        const large = yield* prepare(pool, body)
        const inPlace = yield* prepare(pool, small.body)
        assert.isTrue(Buffer.from(large.bytes).equals(Buffer.from(body)))
        assert.strictEqual(inPlace.stream, large.stream)
        assert.strictEqual(yield* pool.readModel(somebody, body), "claude-sonnet-5")
      })
    ))

  it("lets go of what it was given", () =>
    withPool(
      (pool) =>
        Effect.gen(function* () {
          const { body } = orderedBody(0)
          const before = process.memoryUsage().arrayBuffers
          for (let nth = 0; nth < 400; nth++) yield* prepare(pool, arrived(body))
          assert.isBelow(process.memoryUsage().arrayBuffers - before, 200 * 1024 * 1024)
        }),
      { worker: new URL("../../workers/codec.ts", import.meta.url) }
    ))

  it("is started with the first task that is for it", async () => {
    let started = 0
    const count = () => started++
    process.on("worker", count)
    await withPool((pool) =>
      Effect.gen(function* () {
        yield* prepare(pool, orderedBody(0, 10).body)
        yield* Effect.sleep(50)
        assert.strictEqual(started, 0)
        yield* prepare(pool, orderedBody(0).body)
        assert.strictEqual(started, 1)
      })
    ).finally(() => process.off("worker", count))
  })

  it("that dies of a task has it tried once more, on a fresh worker", () =>
    withPool((pool) =>
      Effect.gen(function* () {
        const { body, taken } = orderedBody(orders.dieOnce)
        yield* prepare(pool, body)
        assert.strictEqual(taken(), 2)
        assert.strictEqual(pool.workersEnded(), 1)
      })
    ))

  it("that dies of it twice fails the call, and the calls that wait behind are served", () =>
    withPool((pool) =>
      Effect.gen(function* () {
        const poison = orderedBody(orders.dieAlways)
        const calls = yield* Effect.forEach(
          [poison, ...Array.from({ length: 5 }, () => orderedBody(0))],
          ({ body }) => Effect.exit(prepare(pool, body)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(poison.taken(), 2)
        const [failed, ...others] = calls
        assert.isTrue(Exit.isFailure(failed!))
        const error = Exit.isFailure(failed!) ? Cause.squash(failed.cause) : undefined
        assert.strictEqual((error as { readonly _tag: string })._tag, "CodecFailed")
        for (const other of others) assert.isTrue(Exit.isSuccess(other))
        assert.strictEqual(pool.queued(), 0)
        assert.strictEqual(pool.workersEnded(), 2)
      })
    ))

  it("that throws is not asked again: a bug would only happen again", () =>
    withPool((pool) =>
      Effect.gen(function* () {
        const { body, taken } = orderedBody(0)
        const broken = {
          way: { endpoint: "messages", protocol: "messages" },
          model: null,
          body,
          anthropicBeta: ""
        }
        const exit = yield* Effect.exit(pool.prepare(somebody, broken as never))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        assert.strictEqual(taken(), 1)
        assert.isTrue(Exit.isSuccess(yield* Effect.exit(prepare(pool, orderedBody(0).body))))
      })
    ))

  it("that is busy lets no more than the queue holds wait, and refuses at once beyond it", () =>
    withPool(
      (pool) =>
        Effect.gen(function* () {
          const blocker = orderedBody(orders.wait)
          const blocked = yield* Effect.forkChild(prepare(pool, blocker.body))
          while (blocker.taken() === 0) yield* Effect.sleep(5)
          const waiting = yield* Effect.forkChild(
            Effect.forEach([orderedBody(0), orderedBody(0)], ({ body }) => prepare(pool, body), {
              concurrency: "unbounded"
            })
          )
          while (pool.queued() < 2) yield* Effect.sleep(1)
          const refused = yield* Effect.exit(prepare(pool, orderedBody(0).body))
          const error = Exit.isFailure(refused) ? Cause.squash(refused.cause) : undefined
          assert.strictEqual((error as { readonly _tag: string })._tag, "CodecBusy")
          // Small bodies need no worker.
          yield* prepare(pool, orderedBody(0, 10).body)
          release(blocker)
          yield* Fiber.join(blocked)
          yield* Fiber.join(waiting)
          assert.strictEqual(pool.queued(), 0)
        }),
      { queueMax: 2 }
    ))

  it("is not all taken by one account: another's call is served while it waits for its own", () =>
    withPool(
      (pool) =>
        Effect.gen(function* () {
          const blocker = orderedBody(orders.wait)
          const waiting = [blocker, ...Array.from({ length: 5 }, () => orderedBody(0))]
          const fiber = yield* Effect.forkChild(
            Effect.forEach(waiting, ({ body }) => prepare(pool, body), { concurrency: "unbounded" })
          )
          while (blocker.taken() === 0) yield* Effect.sleep(5)
          yield* prepare(pool, orderedBody(0).body, another)
          assert.strictEqual(pool.queued(), 5)
          release(blocker)
          yield* Fiber.join(fiber)
          assert.strictEqual(pool.queued(), 0)
        }),
      { threads: 2 }
    ))

  it("that becomes free takes what waits, while another is only starting", () =>
    withPool(
      (pool) =>
        Effect.gen(function* () {
          yield* prepare(pool, orderedBody(0).body)
          process.env[slowStart] = "yes"
          // Two workers are there from the start.
          const blockers = [orderedBody(orders.wait), orderedBody(orders.wait)]
          const blocked = yield* Effect.forEach(blockers, ({ body }) => Effect.forkChild(prepare(pool, body)))
          while (blockers.some((blocker) => blocker.taken() === 0)) yield* Effect.sleep(5)
          const other = orderedBody(0)
          const waiting = yield* Effect.forkChild(prepare(pool, other.body, another))
          yield* Effect.yieldNow
          release(blockers[0]!)
          yield* Fiber.join(waiting)
          assert.strictEqual(other.takenBy(), blockers[0]!.takenBy())
          release(blockers[1]!)
          yield* Fiber.joinAll(blocked)
        }).pipe(Effect.ensuring(Effect.sync(() => delete process.env[slowStart]))),
      { threads: 3 }
    ))

  it("that hangs is ended, and the calls that wait behind are served", () =>
    withPool(
      (pool) =>
        Effect.gen(function* () {
          const hanging = orderedBody(orders.hang)
          const ended = yield* Effect.forkChild(Effect.exit(prepare(pool, hanging.body)))
          while (hanging.taken() === 0) yield* Effect.sleep(5)
          const behind = yield* Effect.forkChild(
            Effect.forEach([orderedBody(0), orderedBody(0)], ({ body }) => prepare(pool, body), {
              concurrency: "unbounded"
            })
          )
          while (pool.queued() < 2) yield* Effect.sleep(1)
          const exit = yield* Fiber.join(ended)
          const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
          assert.strictEqual((error as { readonly _tag: string })._tag, "CodecFailed")
          assert.strictEqual(hanging.taken(), 1)
          yield* Fiber.join(behind)
          assert.strictEqual(pool.workersEnded(), 1)
        }),
      { taskCpuMsMax }
    ))

  it("that is given no processor time is waited for", () =>
    withPool(
      (pool) =>
        Effect.gen(function* () {
          const starved = orderedBody(orders.wait)
          const prepared = yield* Effect.forkChild(prepare(pool, starved.body))
          while (starved.taken() === 0) yield* Effect.sleep(5)
          yield* Effect.sleep(taskCpuMsMax * 1.25)
          release(starved)
          yield* Fiber.join(prepared)
          assert.strictEqual(starved.taken(), 1)
        }),
      { taskCpuMsMax }
    ))

  it("is not asked for what nobody waits for any more", () =>
    withPool((pool) =>
      Effect.gen(function* () {
        const blocker = orderedBody(orders.wait)
        const blocked = yield* Effect.forkChild(prepare(pool, blocker.body))
        while (blocker.taken() === 0) yield* Effect.sleep(5)
        const left = orderedBody(0)
        const leaving = yield* Effect.forkChild(prepare(pool, left.body))
        while (pool.queued() < 1) yield* Effect.sleep(1)
        yield* Fiber.interrupt(leaving)
        assert.strictEqual(pool.queued(), 0)
        release(blocker)
        yield* Fiber.join(blocked)
        assert.strictEqual(left.taken(), 0)
      })
    ))

  it("takes a body that is small in bytes and has many values, and leaves the event loop alone", () =>
    withPool((pool) =>
      Effect.gen(function* () {
        const dense = orderedBody(0, 1, { metadata: Array.from({ length: 10_000 }, () => ({})) })
        assert.isBelow(dense.body.length, inPlaceBytesMax)
        assert.strictEqual(yield* pool.readModel(somebody, dense.body), "claude-sonnet-5")
        yield* prepare(pool, dense.body)
        assert.strictEqual(dense.taken(), 2)
        const plain = orderedBody(0, 100_000, { metadata: Array.from({ length: 1_000 }, () => ({})) })
        yield* prepare(pool, plain.body)
        assert.strictEqual(plain.taken(), 0)
      })
    ))

  it("counts with the tokenizer, and tells what is no request by its field", () =>
    withPool((pool) =>
      Effect.gen(function* () {
        const { body } = orderedBody(0)
        assert.isAbove(yield* pool.countTokens(somebody, { body, model }), 1_000)
        const broken = Buffer.alloc(inPlaceBytesMax * 2, "[")
        const refused = yield* Effect.exit(prepare(pool, broken))
        const error = Exit.isFailure(refused) ? Cause.squash(refused.cause) : undefined
        assert.strictEqual((error as { readonly _tag: string })._tag, "Unprepared")
      })
    ))
})
