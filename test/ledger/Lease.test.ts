/** What a node does as its lease is renewed, answer by answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate } from "node:timers/promises"
import { Journal } from "../../src/ledger/journal/Journal.ts"
import * as Lease from "../../src/ledger/node/Lease.ts"
import type { LeaseStore } from "../../src/ledger/node/LeaseStore.ts"
import { Ledger } from "../../src/ledger/node/Ledger.ts"
import type { LedgerShape } from "../../src/ledger/node/ledger-shape.ts"
import { NodeEvents } from "../../src/ledger/node/NodeEvents.ts"
import { NodeLife } from "../../src/ledger/NodeLife.ts"
import { SessionFailed } from "../../src/ledger/session.ts"
import { type Beat, renewEveryMs } from "../../src/storage/NodeStore.ts"

const bornAt = 5n

class LeaseScript {
  /** How the next renewals are answered; the last for ever. */
  answers: Array<Partial<Beat> | undefined> = [{}]
  isAway = false
  isRemembered = true
  /** Whether all threads work with what was told. */
  confirms = true
  /** All that was asked and done, in order. */
  readonly done: Array<string> = []
  readonly said: Array<string> = []
  readonly #events = { heard: 0n, confirmed: 0n, announced: 0n }
  #renewals = 0
  #lives = 0

  /** What was done since it was asked last. */
  take(): ReadonlyArray<string> {
    return this.done.splice(0)
  }

  get layer() {
    const connector = {
      open: () =>
        Effect.suspend(() => {
          this.done.push("open")
          const failed = new SessionFailed({ operation: "listen", cause: new Error("away") })
          const run = <A>(operation: string, work: (store: LeaseStore) => Promise<A>) =>
            this.isAway
              ? Effect.fail(new SessionFailed({ operation, cause: new Error("cut") }))
              : Effect.promise(() => work(this.#store()))
          return this.isAway ? Effect.fail(failed) : Effect.succeed({ run })
        })
    }
    const tokens = {
      begin: () => `life ${++this.#lives}`,
      former: () => ["former"],
      keepOnly: (token: string) => void this.done.push(`keep ${token}`)
    }
    const note = (message: unknown) => void this.said.push(String(message))
    return Lease.layer({ connector, tokens }).pipe(
      Layer.provideMerge(NodeLife.layer),
      Layer.provide([
        Layer.succeed(NodeEvents, this.#nodeEvents()),
        Layer.succeed(Ledger, {
          recall: (accounts: ReadonlyArray<string>) => this.done.push(`recall ${accounts.join()}`)
        } as unknown as LedgerShape),
        Layer.succeed(Journal, { untoldMs: () => 0 } as unknown as Journal["Service"]),
        Logger.layer([Logger.make(({ message }) => note(message))])
      ])
    )
  }

  #store(): LeaseStore {
    return {
      register: async (token, former) => {
        this.#renewals = 0
        this.done.push(`register ${token} after ${former.join()}`)
        return { id: 7, slot: 1, token, renewals: 0, eventId: bornAt }
      },
      beat: async ({ renewals }, confirmed, toldAtMs) => {
        assert.strictEqual(renewals, this.#renewals, "the node counts as the database does")
        this.done.push(`renew ${confirmed} ${toldAtMs === undefined ? "at some time" : "at a known time"}`)
        const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0]
        if (answer === undefined) return undefined
        const usual = { liveNodes: 3, latestEventId: this.#events.heard, recalled: [], atMs: Date.now() }
        return { ...usual, renewals: ++this.#renewals, ...answer }
      },
      remembers: async () => this.isRemembered,
      eventsAfter: async (id) => {
        this.done.push(`read after ${id}`)
        return [{ id: id + 1n, kind: "wallet", subject: "acc_1" }]
      },
      announceProgress: async (nodeId) => void this.done.push(`announce ${nodeId}`),
      leave: async () => void this.done.push("leave")
    }
  }

  #nodeEvents() {
    const events = this.#events
    return {
      begin: (id: bigint) =>
        Effect.sync(() => Object.assign(events, { heard: id, confirmed: id, announced: id })),
      hear: (heard: ReadonlyArray<{ readonly id: bigint }>) =>
        Effect.sync(() => {
          events.heard = heard.at(-1)!.id
        }),
      heardId: () => events.heard,
      confirmedId: () => events.confirmed,
      announcedId: () => events.announced,
      confirm: Effect.sync(() => {
        if (this.confirms) events.confirmed = events.heard
      }),
      noteAnnounced: (id: bigint) => {
        events.announced = id
      }
    } as unknown as NodeEvents["Service"]
  }
}

/** With a node that has begun and renewed its lease twice: with the second answer it knows the database's clock. */
const live = (use: (script: LeaseScript, life: NodeLife["Service"]) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const script = new LeaseScript()
    yield* Effect.gen(function* () {
      const life = yield* NodeLife
      yield* settle
      assert.deepStrictEqual(script.take(), [
        "open",
        "register life 1 after former",
        "keep life 1",
        "renew 5 at some time",
        "renew 5 at a known time"
      ])
      yield* use(script, life)
    }).pipe(Effect.provide(script.layer))
    if (!script.isAway) assert.strictEqual(script.done.at(-1), "leave")
  })

/** What is under way goes on until it waits for the clock. */
const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await setImmediate()
})
const pass = (ms: number) => Effect.andThen(TestClock.adjust(ms), settle)

describe("a lease", () => {
  it.effect("is renewed each second, and lets the node serve", () =>
    live((script, life) =>
      Effect.gen(function* () {
        assert.isFalse(life.deadline.hasPassed)
        assert.strictEqual(life.liveNodes(), 3)
        yield* pass(renewEveryMs - 1)
        assert.deepStrictEqual(script.take(), [])
        yield* pass(1)
        assert.deepStrictEqual(script.take(), ["renew 5 at a known time"])
        assert.deepStrictEqual(script.said, [])
      })
    )
  )

  it.effect("tells of wallets that others lack", () =>
    live((script) =>
      Effect.gen(function* () {
        script.answers = [{ recalled: ["acc_1" as never] }, {}]
        yield* pass(renewEveryMs)
        assert.deepStrictEqual(script.take(), ["renew 5 at a known time", "recall acc_1"])
        yield* pass(renewEveryMs)
        assert.deepStrictEqual(script.take(), ["renew 5 at a known time"])
      })
    )
  )

  it.effect("has what is new read, confirmed at once, and announced to who waits for it, once", () =>
    live((script) =>
      Effect.gen(function* () {
        script.answers = [{ latestEventId: 6n }, {}]
        yield* pass(renewEveryMs)
        assert.deepStrictEqual(script.take(), [
          "renew 5 at a known time",
          "read after 5",
          "renew 6 at a known time",
          "announce 7"
        ])
        yield* pass(renewEveryMs)
        assert.deepStrictEqual(script.take(), ["renew 6 at a known time"])
      })
    )
  )

  it.effect("is renewed no faster while a thread does not take what is new", () =>
    live((script) =>
      Effect.gen(function* () {
        script.confirms = false
        script.answers = [{ latestEventId: 6n }, {}]
        yield* pass(renewEveryMs)
        assert.deepStrictEqual(script.take(), ["renew 5 at a known time", "read after 5"])
      })
    )
  )

  it.effect.each([
    ["is not known", undefined, true, "was taken for gone"],
    ["is not known since the database was put back", undefined, false, "put back to an earlier moment"],
    ["is told of less than it has heard", { latestEventId: 4n }, true, "put back to an earlier moment"]
  ] as const)("ends where the node %s, and another life begins at once", ([, answer, remembered, why]) =>
    live((script, life) =>
      Effect.gen(function* () {
        let ended = 0
        life.onEnd(() => ended++)
        script.isRemembered = remembered
        script.answers = [answer, {}]
        yield* pass(renewEveryMs)
        assert.deepStrictEqual(script.take(), [
          "renew 5 at a known time",
          "register life 2 after former",
          "keep life 2",
          "renew 5 at a known time"
        ])
        assert.strictEqual(ended, 1)
        assert.isFalse(life.deadline.hasPassed)
        assert.lengthOf(script.said, 1)
        assert.match(script.said[0]!, new RegExp(`^Node 7 .*${why}.*: it begins anew$`))
      })
    )
  )

  it.effect("stays where no event is left of those that were told", () =>
    live((script) =>
      Effect.gen(function* () {
        script.answers = [{ latestEventId: 0n }, {}]
        yield* pass(renewEveryMs)
        assert.deepStrictEqual(script.take(), ["renew 5 at a known time"])
      })
    )
  )

  it.effect("says once that it could not be renewed, and again after it could", () =>
    live((script) =>
      Effect.gen(function* () {
        for (const outage of [1, 2]) {
          script.isAway = true
          for (let tries = 0; tries < 20; tries++) yield* pass(200)
          assert.lengthOf(script.said, outage)
          assert.match(script.said.at(-1)!, /^The lease could not be renewed: renew the lease: Error: cut$/)
          script.isAway = false
          yield* pass(renewEveryMs)
        }
      })
    )
  )

  it.effect("says where this machine's clock is another than the database's", () =>
    live((script) =>
      Effect.gen(function* () {
        script.answers = [{ atMs: Date.now() + 60_000 }]
        yield* pass(renewEveryMs)
        assert.lengthOf(script.said, 1)
        assert.match(script.said[0]!, /clock is \d+ s behind the database's/)
      })
    )
  )
})
