/** What other processes have changed is confirmed once every thread works with it, and not before. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import type { Maintenance } from "../../src/domain/maintenance.ts"
import { Ledger } from "../../src/ledger/node/Ledger.ts"
import { answerWithinMs } from "../../src/ledger/node/LeaseStore.ts"
import type { LedgerShape } from "../../src/ledger/node/ledger-shape.ts"
import { NodeEvents } from "../../src/ledger/node/NodeEvents.ts"
import { NodeLife } from "../../src/ledger/NodeLife.ts"
import { Database, DatabaseError } from "../../src/storage/Database.ts"

const off: Maintenance = { isOn: false, notice: undefined }

const begin = () => {
  const stored = {
    maintenance: off,
    isAway: false,
    reads: [] as Array<string>,
    withinMs: [] as Array<number | undefined>
  }
  const told: Array<string> = []
  const answers: Readonly<Record<string, () => unknown>> = {
    "read maintenance": () => stored.maintenance,
    "read model overrides": () => ({}),
    "read route changes": () => ({})
  }
  const database = {
    run: (operation: string, _query: unknown, withinMs?: number) =>
      Effect.suspend(() => {
        stored.withinMs.push(withinMs)
        stored.reads.push(operation)
        return stored.isAway
          ? Effect.fail(new DatabaseError({ operation, code: "ECONNREFUSED" }))
          : Effect.succeed(answers[operation]?.())
      })
  } as unknown as Database["Service"]
  const ledger = {
    keyChanged: (id: string) => told.push(`key ${id}`),
    accountChanged: (id: string) => told.push(`account ${id}`),
    walletChanged: (id: string) => told.push(`wallet ${id}`),
    refuse: (refusal?: { readonly _tag: string; readonly message?: string }) =>
      told.push(`refuse ${refusal?._tag ?? "nothing"} ${refusal?.message ?? ""}`.trim())
  } as unknown as LedgerShape
  const layer = NodeEvents.layer.pipe(
    Layer.provide([Layer.succeed(Database, database), Layer.succeed(Ledger, ledger), NodeLife.layer])
  )
  return { stored, told, layer }
}

const event = (id: number, kind: string, subject = "") => ({ id: BigInt(id), kind, subject })

describe("what is told to a node", () => {
  it.effect("reaches the ledger in order, whatever it does not know left out", () => {
    const { layer, told } = begin()
    return Effect.gen(function* () {
      const events = yield* NodeEvents
      told.length = 0
      yield* events.hear([event(3, "key", "k"), event(4, "of tomorrow"), event(7, "account", "a")])
      assert.deepStrictEqual(told, ["key k", "account a"])
      assert.strictEqual(events.heardId(), 7n)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is confirmed when every thread works with it, however often they must be asked", () => {
    const { layer } = begin()
    return Effect.gen(function* () {
      const events = yield* NodeEvents
      let isTold = true
      let asked = 0
      events.onChanges(Effect.sync(() => (asked++, isTold)))
      yield* events.begin(1n)
      yield* events.confirm
      isTold = false
      asked = 0
      yield* events.hear([event(2, "models")])
      yield* events.confirm
      assert.deepStrictEqual([events.heardId(), events.confirmedId(), asked], [2n, 1n, 1])
      isTold = true
      yield* events.confirm
      assert.deepStrictEqual([events.confirmedId(), asked], [2n, 2])
      yield* events.hear([event(3, "wallet", "a")])
      yield* events.confirm
      assert.deepStrictEqual([events.confirmedId(), asked], [3n, 2])
    }).pipe(Effect.provide(layer))
  })

  it.effect("counts as heard up to the event that the database was away for", () => {
    const { layer, stored, told } = begin()
    return Effect.gen(function* () {
      const events = yield* NodeEvents
      yield* events.begin(1n)
      told.length = 0
      stored.isAway = true
      const changes = [event(2, "key", "k"), event(3, "routes"), event(4, "key", "l")]
      yield* Effect.flip(events.hear(changes))
      assert.deepStrictEqual([told, events.heardId()], [["key k"], 2n])
      stored.isAway = false
      yield* events.hear(changes.slice(1))
      assert.deepStrictEqual([told, events.heardId()], [["key k", "key l"], 4n])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is read within the time that the lease has for an answer", () => {
    const { layer, stored } = begin()
    return Effect.gen(function* () {
      const events = yield* NodeEvents
      yield* events.begin(1n)
      yield* events.hear([event(2, "maintenance"), event(3, "models"), event(4, "routes")])
      assert.deepStrictEqual(new Set(stored.withinMs), new Set([answerWithinMs]))
    }).pipe(Effect.provide(layer))
  })

  it.effect(
    "stands in its log once where it is maintenance turned on or off, also of a node that starts in it",
    () => {
      const { layer, stored } = begin()
      const lines: Array<string> = []
      const logger = Logger.layer([
        Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
      ])
      const on = "Info Maintenance is on: new calls get 503"
      stored.maintenance = { isOn: true, notice: undefined }
      return Effect.gen(function* () {
        const events = yield* NodeEvents
        yield* events.begin(1n)
        stored.maintenance = { isOn: true, notice: { vi: "Bảo trì", en: undefined, untilMs: undefined } }
        yield* events.hear([event(2, "maintenance")])
        assert.deepStrictEqual(lines, [on])
        stored.maintenance = off
        yield* events.hear([event(3, "maintenance"), event(4, "maintenance")])
        assert.deepStrictEqual(lines, [on, "Info Maintenance is off"])
      }).pipe(Effect.provide(Layer.provideMerge(layer, logger)))
    }
  )

  it.effect("stops calls for maintenance with its message, and for good once the process stops", () => {
    const { layer, stored, told } = begin()
    return Effect.gen(function* () {
      const events = yield* NodeEvents
      told.length = 0
      const notice = { vi: "Bảo trì", en: "Back at noon", untilMs: undefined }
      stored.maintenance = { isOn: true, notice }
      yield* events.hear([event(1, "maintenance")])
      assert.isTrue(events.isInMaintenance())
      yield* events.leave
      assert.isTrue(events.isLeaving())
      yield* events.drain
      stored.maintenance = off
      yield* events.hear([event(2, "maintenance")])
      assert.isFalse(events.isInMaintenance())
      assert.deepStrictEqual(told, ["refuse Maintenance Back at noon", "refuse Draining", "refuse Draining"])
    }).pipe(Effect.provide(layer))
  })
})
