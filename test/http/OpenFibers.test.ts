/** What a server has under way can be waited for, and is broken off with the server. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { OpenFibers } from "../../src/http/OpenFibers.ts"

describe("what is under way", () => {
  it.effect("is waited for until the last of it has ended, however it ends", () =>
    Effect.gen(function* () {
      const open = yield* OpenFibers.make
      yield* open.whenEmpty
      const gates = yield* Effect.forEach([1, 2, 3], () => Deferred.make<void>())
      const fibers = gates.map((gate) => open.run(Deferred.await(gate)))
      const waiting = yield* Effect.forkChild(open.whenEmpty, { startImmediately: true })
      yield* Deferred.succeed(gates[0]!, undefined)
      yield* Deferred.die(gates[1]!, "no")
      yield* Effect.forEach(fibers.slice(0, 2), Fiber.await)
      assert.isUndefined(waiting.pollUnsafe())
      yield* Fiber.interrupt(fibers[2]!)
      yield* Fiber.join(waiting)
    })
  )

  it.effect("is interrupted when its scope closes, and nothing that has ended before", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const open = yield* Scope.provide(OpenFibers.make, scope)
      const ended = open.run(Effect.succeed("whole"))
      const ends = yield* Fiber.await(ended)
      const running = open.run(Effect.never)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(ends, Exit.succeed("whole"))
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(running)))
      yield* open.whenEmpty
    })
  )
})
