/** A frame of questions from a gateway thread, one of which meets a fault: the others do not notice. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { MessageChannel, type MessagePort } from "node:worker_threads"
import { type AccountId, type CallId, type KeyId, makeCallId } from "../../src/domain/ids.ts"
import { packQuestions, unpackAnswers } from "../../src/ledger/bridge/frames.ts"
import { KeyDirectory } from "../../src/ledger/bridge/KeyDirectory.ts"
import { KeyLookups } from "../../src/ledger/bridge/KeyLookups.ts"
import { LedgerServer } from "../../src/ledger/node/LedgerServer.ts"
import type { Answer } from "../../src/ledger/bridge/protocol.ts"
import { Ledger } from "../../src/ledger/node/Ledger.ts"
import type { LedgerShape } from "../../src/ledger/node/ledger-shape.ts"
import { callRecord } from "./call-record.ts"
import { noReports } from "./no-reports.ts"

const key = { keyId: "key_1" as KeyId, accountId: "acc_1" as AccountId, secret: 0 }
const check = (callId: string) => ({ _tag: "Check", ...key, callId: callId as CallId }) as const
const admitted: Answer = { _tag: "Admitted", granted: 0n }

/** With so much of a ledger as is asked for. */
const serverOn = (ledger: object) =>
  LedgerServer.layer.pipe(
    Layer.provide([
      Layer.succeed(KeyDirectory, new KeyLookups()),
      noReports,
      Layer.succeed(Ledger, ledger as LedgerShape)
    ])
  )

/** `checks` answer for each call by its id. */
const serverOf = (checks: Readonly<Record<string, () => Effect.Effect<Answer>>>) =>
  serverOn({ checkUnsafe: (_: unknown, callId: CallId) => checks[callId]!() })

const connect = Effect.map(LedgerServer, (server) => {
  const answers = new Map<number, string>()
  let receive: (frame: Uint8Array) => void = () => {}
  const port = {
    on: (_: string, listener: (frame: Uint8Array) => void) => (receive = listener),
    postMessage: (frame: Uint8Array) => {
      for (const { answer, id } of unpackAnswers(frame)) answers.set(id, answer._tag)
    }
  } as unknown as MessagePort
  server.connect(port)
  return { answers, receive: (frame: Uint8Array) => receive(frame) }
})

describe("a question that meets a fault", () => {
  it.effect("at once is answered as one that can not be answered now, as are all others of its frame", () =>
    Effect.gen(function* () {
      const { answers, receive } = yield* connect
      const frame = packQuestions([
        { id: 1, question: check("good") },
        { id: 2, question: check("bad") },
        { id: 3, question: check("good") }
      ])
      assert.throws(() => receive(frame), "a fault of ours")
      assert.deepStrictEqual(
        [...answers],
        [
          [1, "Admitted"],
          [2, "Unavailable"],
          [3, "Admitted"]
        ]
      )
      receive(packQuestions([{ id: 4, question: check("good") }]))
      assert.strictEqual(answers.get(4), "Admitted")
    }).pipe(
      Effect.provide(
        serverOf({
          good: () => Effect.succeed(admitted),
          bad: () => {
            throw new Error("a fault of ours")
          }
        })
      )
    )
  )

  it.live("while it waits is answered all the same, and told", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      const late = () => Effect.andThen(Effect.yieldNow, Effect.die(new Error("a late fault of ours")))
      yield* Effect.gen(function* () {
        const { answers, receive } = yield* connect
        receive(packQuestions([{ id: 1, question: check("late") }]))
        while (answers.size === 0) yield* Effect.sleep(1)
        assert.strictEqual(answers.get(1), "Unavailable")
      }).pipe(Effect.provide(serverOf({ late }).pipe(Layer.provideMerge(logger))))
      assert.include(lines.join("\n"), "a late fault of ours")
    })
  )
})

describe("a thread whose end is told before what it sent last", () => {
  const settled: Array<CallId> = []
  it.effect("leaves no row of a call behind", () =>
    Effect.gen(function* () {
      const { port1, port2 } = new MessageChannel()
      const link = (yield* LedgerServer).connect(port1)
      const question = {
        _tag: "Settle",
        record: callRecord(key, makeCallId(Date.now()), 0n),
        fromAllowance: 0n
      } as const
      const frame = packQuestions([{ id: 0, question }])
      port2.postMessage(frame)
      port2.postMessage(frame)
      link.dispose()
      assert.deepStrictEqual(settled, [question.record.callId, question.record.callId])
    }).pipe(
      Effect.provide(
        serverOn({
          settle: ({ callId }: { readonly callId: CallId }) => void settled.push(callId),
          wallets: { endThread: () => {} }
        })
      )
    )
  )
})

describe("a thread that dies", () => {
  const released: Array<string> = []
  it.effect("leaves nothing held of a call that it had held for by itself, and that has grown since", () =>
    Effect.gen(function* () {
      const { port1, port2 } = new MessageChannel()
      const link = (yield* LedgerServer).connect(port1)
      const callId = makeCallId(Date.now())
      const question = { _tag: "Extend", ...key, callId, minimum: 1n, wanted: 1n, fromAllowance: 5n } as const
      port2.postMessage(packQuestions([{ id: 1, question }]))
      link.dispose()
      assert.deepStrictEqual(released, [`${key.accountId} ${callId}`])
    }).pipe(
      Effect.provide(
        serverOn({
          adopt: () => {},
          extendUnsafe: () => Effect.succeed(admitted),
          release: (accountId: AccountId, callId: CallId) => void released.push(`${accountId} ${callId}`),
          wallets: { endThread: () => {} }
        })
      )
    )
  )
})
