/** Pages for operators on a gateway thread, whose main thread may be busy or gone. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { Exchange } from "../../src/http/Exchange.ts"
import { Operations } from "../../src/http/Operations.ts"
import type { FromThread } from "../../src/threads/messages.ts"
import { ThreadPages } from "../../src/threads/ThreadPages.ts"

const begin = () => {
  const asked: Array<Extract<FromThread, { readonly kind: "page" }>> = []
  const pages = new ThreadPages((message) => message.kind === "page" && asked.push(message))
  const answers: Array<readonly [status: number, body: string]> = []
  const respond = (status: number, _: unknown, body: string) => answers.push([status, body])
  const ask = (page: "healthz" | "readyz" | "metrics") =>
    Effect.gen(function* () {
      yield* (yield* Operations).serve(page, { respond } as unknown as Exchange)
    }).pipe(Effect.provide(pages.layer), Effect.forkChild({ startImmediately: true }))
  return { answers, ask, asked, pages }
}

describe("a page for operators", () => {
  it.effect("that asks whether the thread lives is answered by itself", () =>
    Effect.gen(function* () {
      const { answers, ask, asked } = begin()
      yield* ask("healthz")
      assert.deepStrictEqual(answers, [[200, "ok"]])
      assert.lengthOf(asked, 0)
    })
  )

  it.effect("is what the main thread says, or after five seconds that it says nothing, once", () =>
    Effect.gen(function* () {
      const { answers, ask, asked, pages } = begin()
      yield* ask("metrics")
      yield* ask("readyz")
      pages.answered(asked[0]!.id, 200, "tollgate_up 1")
      yield* TestClock.adjust("4900 millis")
      assert.deepStrictEqual(answers, [[200, "tollgate_up 1"]])
      yield* TestClock.adjust("100 millis")
      pages.answered(asked[1]!.id, 200, "late")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(answers.slice(1), [[503, '{"ready":false,"reason":"no answer"}']])
    })
  )

  it.effect("of metrics is asked for so many times at once, and again as soon as one has gone", () =>
    Effect.gen(function* () {
      const { answers, ask, asked } = begin()
      const waiting = yield* Effect.forEach(Array.from({ length: 33 }), () => ask("metrics"))
      assert.deepStrictEqual(answers, [[503, "Too many ask for metrics."]])
      assert.lengthOf(asked, 32)
      yield* Fiber.interrupt(waiting[7]!)
      yield* ask("metrics")
      assert.lengthOf(asked, 33)
      yield* ask("readyz")
      assert.lengthOf(asked, 34)
    })
  )
})
