import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Stream } from "effect"
import { withPort, withSimulator } from "../src/config/adjust-settings.ts"
import type { Environment } from "../src/config/settings.ts"
import { Config } from "../src/config.ts"
import { useSettingsFolder } from "./config/settings-folder.ts"

const folder = useSettingsFolder()

describe("Config", () => {
  const run = <A, E>(program: Effect.Effect<A, E, Config>, read: () => Environment = () => ({})) => {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    return Effect.runPromise(
      Effect.provide(program, Config.layerWith(read, folder.path()).pipe(Layer.provideMerge(logger)))
    ).then((value) => ({ value, lines }))
  }

  it("reads the file again and tells those who listen", async () => {
    const program = Effect.gen(function* () {
      const config = yield* Config
      const [before] = [yield* config.get]
      folder.write("limits: { drain_seconds: 7 }")
      const after = yield* config.reload
      const [told] = yield* Stream.runCollect(Stream.take(config.changes, 1))
      assert.strictEqual(before.limits.drainSeconds, 30)
      assert.strictEqual(after.limits.drainSeconds, 7)
      assert.deepStrictEqual(told, after)
      assert.deepStrictEqual(yield* config.get, after)
    })
    await run(program)
  })

  it("reads the file again on SIGHUP", async () => {
    const program = Effect.gen(function* () {
      const config = yield* Config
      folder.write("limits: { drain_seconds: 7 }")
      process.kill(process.pid, "SIGHUP")
      const changed = Stream.filter(config.changes, ({ limits }) => limits.drainSeconds === 7)
      yield* Stream.runDrain(Stream.take(changed, 1))
    })
    await run(program)
    assert.strictEqual(process.listenerCount("SIGHUP"), 0)
  })

  it("refuses a bad file with a log line and keeps the settings in force", async () => {
    const program = Effect.gen(function* () {
      const config = yield* Config
      const before = yield* config.get
      folder.write("limits: { drain_seconds: no }")
      assert.deepStrictEqual(yield* config.reload, before)
      folder.write("limits: { drain_seconds: 8 }")
      assert.strictEqual((yield* config.reload).limits.drainSeconds, 8)
    })
    const { lines } = await run(program)
    assert.lengthOf(lines, 1)
    assert.include(lines[0]!, "Bad setting limits.drain_seconds")
  })

  it("keeps what only a restart changes, with a warning that names it", async () => {
    const environments: Array<Environment> = [
      { PORT: "1" },
      { PORT: "2", DATA_DIR: "x", GATEWAY_THREADS: "9" }
    ]
    const program = Effect.gen(function* () {
      const config = yield* Config
      const before = yield* config.get
      assert.deepStrictEqual(yield* config.reload, before)
    })
    const { lines } = await run(program, () => environments.shift()!)
    assert.deepStrictEqual(lines.length, 1)
    assert.include(lines[0]!, "Only a restart changes port, publicUrl, dataDir, gatewayThreads")
  })

  it("says that a server of mail is another only after a restart, and keeps the one there is", async () => {
    const environments: Array<Environment> = [
      {},
      { SMTP_URL: "smtp://mail.example.com", SMTP_FROM: "tollgate@example.com" }
    ]
    const program = Effect.gen(function* () {
      assert.isUndefined((yield* (yield* Config).reload).mail)
    })
    const { lines } = await run(program, () => environments.shift()!)
    assert.include(lines[0]!, "Only a restart changes mail; kept as before")
  })

  it("never goes over from real providers to the simulator while it runs", async () => {
    folder.write(`providers: { openai: { routes: [{ base_url: "http://x" }] } }`)
    const program = Effect.gen(function* () {
      const config = yield* Config
      folder.write("")
      assert.isFalse((yield* config.reload).simulated)
    })
    const { lines } = await run(program)
    assert.include(lines[0]!, "between the simulator and real providers needs a restart")
  })

  it("keeps what became known while starting over a reload", async () => {
    const program = Effect.gen(function* () {
      const config = yield* Config
      yield* config.adjust((settings) => withPort(settings, 4567))
      yield* config.adjust((settings) => withSimulator(settings, "http://127.0.0.1:5"))
      folder.write("limits: { drain_seconds: 7 }")
      const settings = yield* config.reload
      assert.strictEqual(settings.publicUrl, "http://127.0.0.1:4567")
      assert.strictEqual(settings.port, 4567)
      assert.strictEqual(settings.providers["openai"]!.routes.length, 1)
      assert.strictEqual(settings.limits.drainSeconds, 7)
    })
    await run(program, () => ({ PORT: "0" }))
  })
})
