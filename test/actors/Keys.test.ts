import { assert, describe, it } from "@effect/vitest"
import { Keys, type KeyAnswer } from "../../src/actors/Keys.ts"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import type { KeyState } from "../../src/storage/LedgerStore.ts"

const keyId = "key_1" as KeyId
const accountId = "acc_1" as AccountId
const nowMs = 1_800_000_000_000

const setUp = () => {
  const stored: { key: KeyState | undefined } = {
    key: { keyId, accountId, active: true, rateLimitPerMinute: 0 }
  }
  let loads = 0
  const keys = new Keys({ load: () => loads++, mailboxCapacity: 3 })
  const answers: Array<KeyAnswer["_tag"]> = []
  const ask = (change: { nowMs?: number; counted?: boolean; accountId?: AccountId } = {}) =>
    keys.ask(keyId, { accountId, nowMs, counted: true, ...change }, ({ _tag }) => answers.push(_tag))
  const load = () => keys.loaded(keyId, { key: stored.key })
  const change = (to: Partial<KeyState>) => {
    stored.key = { ...stored.key!, ...to }
    keys.invalidate(keyId)
  }
  return { answers, ask, change, keys, load, loads: () => loads, stored }
}

describe("keys", () => {
  it("are loaded once, and admit their own account only", () => {
    const { answers, ask, load, loads } = setUp()
    ask()
    load()
    ask()
    ask({ accountId: "acc_2" as AccountId })
    assert.deepStrictEqual([answers, loads()], [["Admitted", "Admitted", "Revoked"], 1])
  })

  it("admit nothing from the moment a revocation is heard of", () => {
    const { answers, ask, change, load } = setUp()
    ask()
    load()
    change({ active: false })
    ask()
    assert.lengthOf(answers, 1)
    load()
    assert.deepStrictEqual(answers, ["Admitted", "Revoked"])
  })

  it("that do not exist admit nothing", () => {
    const { answers, ask, load, stored } = setUp()
    stored.key = undefined
    ask()
    load()
    assert.deepStrictEqual(answers, ["Revoked"])
  })

  it("are unavailable when they can not be loaded, and to those that find too many waiting", () => {
    const { answers, ask, keys } = setUp()
    for (let count = 0; count < 4; count++) ask()
    assert.deepStrictEqual(answers, ["Unavailable"])
    keys.loaded(keyId, undefined)
    assert.deepStrictEqual(answers, ["Unavailable", "Unavailable"])
    keys.loaded(keyId, undefined)
    assert.lengthOf(answers, 4)
  })

  it("keep counting when their limit changes and when they are read again", () => {
    const { answers, ask, change, load } = setUp()
    change({ rateLimitPerMinute: 2 })
    ask()
    load()
    ask()
    ask()
    change({ rateLimitPerMinute: 3 })
    ask()
    load()
    ask()
    assert.deepStrictEqual(answers, ["Admitted", "Admitted", "Limited", "Admitted", "Limited"])
  })

  it("count only what is to be counted", () => {
    const { answers, ask, change, load } = setUp()
    change({ rateLimitPerMinute: 1 })
    ask({ counted: false })
    load()
    ask()
    ask({ counted: false })
    ask()
    assert.deepStrictEqual(answers, ["Admitted", "Admitted", "Admitted", "Limited"])
  })

  it("allow their part of the limit where several nodes live", () => {
    const { answers, ask, change, keys, load } = setUp()
    keys.liveNodes = 2
    change({ rateLimitPerMinute: 4 })
    ask()
    load()
    ask()
    ask()
    assert.deepStrictEqual(answers, ["Admitted", "Admitted", "Limited"])
  })

  it("of a limit that nodes can not divide evenly are not held below it by all of them together", () => {
    const { answers, ask, change, keys, load } = setUp()
    keys.liveNodes = 2
    change({ rateLimitPerMinute: 3 })
    ask()
    load()
    ask()
    ask()
    assert.deepStrictEqual(answers, ["Admitted", "Admitted", "Limited"])
  })

  it("are forgotten when idle, but not while somebody waits", () => {
    const { ask, keys, load, loads } = setUp()
    ask()
    keys.putAwayIdle(nowMs + 1)
    load()
    ask()
    assert.strictEqual(loads(), 1)
    keys.putAwayIdle(nowMs + 1)
    ask()
    assert.strictEqual(loads(), 2)
  })
})
