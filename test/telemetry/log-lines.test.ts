import { assert, describe, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import { logLines } from "../../src/telemetry/log-lines.ts"

const linesOf = (effect: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const console = { ...globalThis.console, log: (line: string) => void lines.push(line) }
    yield* effect.pipe(Effect.provide(logLines), Effect.provideService(Console.Console, console))
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  })

describe("a line of the log that is not of a call", () => {
  it.effect("has the form of those of calls", () =>
    Effect.gen(function* () {
      const told = Effect.logWarning("a route rests").pipe(
        Effect.annotateLogs({ route: "openai#0", tries: 3 })
      )
      const [line] = yield* linesOf(told)
      assert.deepStrictEqual(Object.keys(line!), ["time", "level", "message", "route", "tries"])
      assert.match(String(line!["time"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepInclude(line, { level: "warn", message: "a route rests", route: "openai#0", tries: 3 })
    })
  )

  it.effect("tells what a fault was, and is one line however that reads", () =>
    Effect.gen(function* () {
      const fault = new Error("first\nsecond")
      const [line] = yield* linesOf(Effect.logError("the look failed", fault))
      assert.strictEqual(line!["level"], "error")
      assert.strictEqual(line!["message"], "the look failed")
      assert.include(JSON.stringify(line!["details"]), "first")
    })
  )
})
