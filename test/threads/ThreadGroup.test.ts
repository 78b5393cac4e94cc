/** What is said of changed settings is true of every thread. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import type { MessagePort } from "node:worker_threads"
import type { Settings } from "../../src/config/settings.ts"
import type { AllowanceWords } from "../../src/ledger/bridge/AllowanceWords.ts"
import { LeaseDeadline } from "../../src/ledger/bridge/LeaseDeadline.ts"
import { ThreadGroup } from "../../src/threads/ThreadGroup.ts"
import { foundPort, orders } from "./stub-thread.ts"
import { until } from "../until.ts"

const settingsOf = (maxOpenCalls: number, publicUrl = "http://quick") =>
  ({ host: "127.0.0.1", port: 1, publicUrl, gatewayThreads: 1, limits: { maxOpenCalls } }) as Settings

const openGroup = Effect.gen(function* () {
  const memory = new SharedArrayBuffer(8)
  const words = new Int32Array(memory)
  let connections = 0
  let disposed = 0
  const dispose = (port: MessagePort) => {
    disposed++
    port.close()
  }
  const connect = (port: MessagePort) => {
    connections++
    return {
      allowances: { memory } as AllowanceWords,
      deadline: LeaseDeadline.make(),
      dispose: () => dispose(port)
    }
  }
  /** So many threads can not be had; each is asked for once. */
  const refusals = { left: 0 }
  const stub = new URL("stub-thread.ts", import.meta.url)
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const group = new ThreadGroup({
    connect,
    run,
    pauses: { delaysMs: [1] },
    // What is no file is refused at once, as is a thread that the system does not give.
    worker: () => (refusals.left-- > 0 ? new URL("http://nowhere") : stub)
  })
  yield* Effect.addFinalizer(() => group.stop)
  return {
    group,
    /** Which settings the thread works with. */
    settings: () => Atomics.load(words, 0),
    /** By the thread that was started last. */
    portWanted: () => Atomics.load(words, 1),
    connections: () => connections,
    disposed: () => disposed,
    refusals
  }
})

const untilSo = (isSo: () => boolean) => Effect.promise(() => until(isSo))

describe("gateway threads", () => {
  it.live("that work with changed settings are not named", () =>
    Effect.gen(function* () {
      const { group, settings } = yield* openGroup
      yield* group.start(settingsOf(1), {})
      assert.deepStrictEqual(yield* group.apply(settingsOf(2), {}), [])
      assert.strictEqual(settings(), 2)
    })
  )

  it.effect("that give no answer are named", () =>
    Effect.gen(function* () {
      const { group } = yield* openGroup
      yield* group.start(settingsOf(1), {})
      const applying = yield* Effect.forkChild(group.apply(settingsOf(2, orders.silent), {}))
      while (applying.pollUnsafe() === undefined) {
        yield* TestClock.adjust("1 second")
        yield* Effect.promise(() => new Promise(setImmediate))
      }
      assert.deepStrictEqual(yield* Fiber.join(applying), [0])
    })
  )

  it.live("that are starting work with what changed meanwhile", () =>
    Effect.gen(function* () {
      const { connections, group, settings } = yield* openGroup
      const starting = yield* Effect.forkChild(group.start(settingsOf(1, orders.slowStart), {}))
      yield* untilSo(() => connections() === 1)
      yield* Effect.forkChild(group.apply(settingsOf(2), {}))
      yield* Fiber.join(starting)
      yield* untilSo(() => settings() === 2)
    })
  )

  it.live("listen where the first one found a port", () =>
    Effect.gen(function* () {
      const { group, portWanted } = yield* openGroup
      const port = yield* group.start({ ...settingsOf(1), port: 0, gatewayThreads: 2 }, {})
      assert.strictEqual(port, foundPort)
      assert.strictEqual(portWanted(), foundPort)
    })
  )

  it.live("that die are told of by the program's own logger, and work with the latest settings again", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    return Effect.gen(function* () {
      const { connections, group, settings } = yield* openGroup
      yield* group.start(settingsOf(1), {})
      group.crash()
      yield* untilSo(() => lines.length === 1)
      assert.match(lines[0]!, /^Gateway thread 0 ended.*a test makes this thread die/s)
      yield* group.apply(settingsOf(2), {})
      yield* untilSo(() => connections() === 2 && settings() === 2)
    }).pipe(Effect.provide(Logger.layer([logger])))
  })

  it.live("are started again until there is one, also where the system gives no thread at first", () =>
    Effect.gen(function* () {
      const { connections, disposed, group, refusals, settings } = yield* openGroup
      yield* group.start(settingsOf(1), {})
      refusals.left = 2
      group.crash()
      yield* untilSo(() => connections() === 4)
      yield* group.apply(settingsOf(2), {})
      yield* untilSo(() => settings() === 2)
      assert.strictEqual(disposed(), 3)
    })
  )

  it.live("that are starting when the program is to stop are drained as well", () =>
    Effect.gen(function* () {
      const { connections, group } = yield* openGroup
      yield* group.start(settingsOf(1), {})
      yield* group.apply(settingsOf(1, orders.slowStart), {})
      group.crash()
      yield* untilSo(() => connections() === 2)
      yield* group.drain(false)
    })
  )

  it.effect("that die after they were drained are not waited for", () =>
    Effect.gen(function* () {
      const { disposed, group } = yield* openGroup
      yield* group.start(settingsOf(1), {})
      yield* group.drain(false)
      group.crash()
      yield* untilSo(() => disposed() === 1)
      // No limit of time comes to its help: nobody moves the clock.
      yield* group.stop
      assert.strictEqual(group.restarts, 0)
    })
  )
})
