import { assert, describe, it } from "@effect/vitest"
import { Rankings } from "../../src/accounts/Rankings.ts"

const minuteMs = 60_000

/** Makes rankings by hand: each waits until it is finished with a number of accounts, or fails, and takes so long. */
const start = (tookMs = 500) => {
  let nowMs = 1_000_000
  const failures: Array<unknown> = []
  const waiting: Array<{ finish: (count: number) => void; fail: (error: Error) => void }> = []
  const rankings = new Rankings(
    (cause) => failures.push(cause),
    () => nowMs
  )
  const make = () =>
    new Promise<{ ids: ReadonlyArray<string>; count: number }>((resolve, reject) =>
      waiting.push({
        finish: (count) => {
          nowMs += tookMs
          resolve({ ids: [], count })
        },
        fail: reject
      })
    )
  return {
    rankings,
    failures,
    waiting,
    ask: (name = "november") => rankings.rank(name, make),
    prepare: (name = "november") => rankings.prepare(name, make),
    pass: (ms: number) => void (nowMs += ms)
  }
}

describe("a ranking", () => {
  it("is made once for all who ask meanwhile, and kept for a minute", async () => {
    const { ask, pass, waiting } = start()
    const asked = [ask(), ask(), ask()]
    assert.lengthOf(waiting, 1)
    waiting[0]!.finish(7)
    for (const ranked of await Promise.all(asked))
      assert.deepStrictEqual(ranked, { ids: [], count: 7, keptSinceMs: undefined })
    pass(minuteMs - 501)
    assert.deepStrictEqual(await ask(), { ids: [], count: 7, keptSinceMs: 1_000_000 })
    assert.lengthOf(waiting, 1)
  })

  it("is made anew where the clock is set back", async () => {
    const { ask, pass, waiting } = start()
    const first = ask()
    waiting[0]!.finish(1)
    await first
    pass(-60 * minuteMs)
    const second = ask()
    assert.lengthOf(waiting, 2)
    waiting[1]!.finish(2)
    assert.deepStrictEqual(await second, { ids: [], count: 2, keptSinceMs: undefined })
  })

  it("is answered as it was once it is older, and made anew for the next", async () => {
    const { ask, pass, waiting } = start()
    const first = ask()
    waiting[0]!.finish(1)
    await first
    pass(5 * minuteMs)
    assert.strictEqual((await ask()).count, 1)
    assert.strictEqual((await ask()).count, 1)
    assert.lengthOf(waiting, 2)
    waiting[1]!.finish(2)
    await new Promise(setImmediate)
    const { count, keptSinceMs } = await ask()
    assert.deepStrictEqual([keptSinceMs, count], [1_000_500 + 5 * minuteMs, 2])
  })

  it("that takes no time is made for each who asks, and not before", async () => {
    const { ask, prepare, waiting } = start(99)
    for (const count of [1, 2, 3]) {
      const asked = ask()
      waiting.at(-1)!.finish(count)
      assert.deepStrictEqual(await asked, { ids: [], count, keptSinceMs: undefined })
      await prepare()
      assert.lengthOf(waiting, count)
    }
  })

  it("is waited for where the last is a quarter of an hour old", async () => {
    const { ask, pass, waiting } = start()
    const first = ask()
    waiting[0]!.finish(1)
    await first
    pass(15 * minuteMs)
    const second = ask()
    waiting[1]!.finish(2)
    assert.strictEqual((await second).count, 2)
  })

  it("that fails fails whoever waits, is told where nobody does, and is tried again", async () => {
    const { ask, failures, pass, prepare, waiting } = start()
    const first = ask()
    waiting[0]!.fail(new Error("away"))
    assert.strictEqual(await first.catch((error: Error) => error.message), "away")
    const second = prepare()
    waiting[1]!.fail(new Error("still away"))
    await second
    const third = ask()
    waiting[2]!.finish(3)
    await third
    pass(2 * minuteMs)
    assert.strictEqual((await ask()).count, 3)
    waiting[3]!.fail(new Error("away again"))
    await new Promise(setImmediate)
    assert.strictEqual((await ask()).count, 3)
    assert.deepStrictEqual(
      failures.map((cause) => (cause as Error).message),
      ["still away", "away again"]
    )
  })

  it("is prepared where none is kept, and not made anew for that", async () => {
    const { ask, pass, prepare, waiting } = start()
    const prepared = prepare()
    waiting[0]!.finish(1)
    await prepared
    pass(5 * minuteMs)
    await prepare()
    assert.lengthOf(waiting, 1)
    pass(-5 * minuteMs)
    assert.strictEqual((await ask()).count, 1)
  })

  it("is kept for so many that memory is bounded, those asked for last", async () => {
    const { ask, waiting } = start()
    for (let number = 0; number < 33; number++) {
      const asked = ask(`${number}`)
      waiting.at(-1)!.finish(number)
      await asked
    }
    await ask("1")
    assert.lengthOf(waiting, 33)
    void ask("0")
    assert.lengthOf(waiting, 34)
  })
})
