/** A gateway thread's asks, whatever comes back: each is answered once, and only by its own answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { MessageChannel, type MessagePort } from "node:worker_threads"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import { AllowanceWords } from "../../src/ledger/bridge/AllowanceWords.ts"
import { packAnswers, unpackQuestions } from "../../src/ledger/bridge/frames.ts"
import { LeaseDeadline } from "../../src/ledger/bridge/LeaseDeadline.ts"
import { LedgerClient } from "../../src/ledger/bridge/LedgerClient.ts"
import type { Answered, Asked } from "../../src/ledger/bridge/protocol.ts"
import { callRecord } from "./call-record.ts"

const withLedger = async (
  use: (
    client: LedgerClient,
    ledger: MessagePort,
    words: AllowanceWords,
    deadline: LeaseDeadline
  ) => Promise<void>
) => {
  const { port1, port2 } = new MessageChannel()
  const words = AllowanceWords.make(4)
  const deadline = LeaseDeadline.make()
  deadline.set(deadline.now(), 60_000)
  try {
    await use(new LedgerClient(port1, words, deadline), port2, words, deadline)
  } finally {
    port1.close()
    port2.close()
  }
}

/** The next frame of asks that the ledger gets. */
const asked = async (ledger: MessagePort): Promise<ReadonlyArray<Asked>> => {
  const [frame] = (await once(ledger, "message")) as [Uint8Array]
  return unpackQuestions(frame)
}
const tell = (ledger: MessagePort, ...answers: ReadonlyArray<Answered>) =>
  ledger.postMessage(packAnswers(answers))
const keyOf = (letter: string) => ({
  keyId: `key_${letter}` as KeyId,
  secret: 0,
  accountId: `acc_${letter}` as AccountId
})
const identified = (id: number, letter?: string): Answered => ({
  id,
  answer: { _tag: "Identified", identity: letter === undefined ? undefined : keyOf(letter) }
})
const hashOf = (letter: string) => letter.repeat(64)
const identity = { accountId: "acc_1" as AccountId, keyId: "key_1" as KeyId, secret: 0 }
const hold = { minimum: 1n, wanted: 2n }

describe("asks of a gateway thread", () => {
  it("are not answered by what was said twice to somebody before them", () =>
    withLedger(async (client, ledger) => {
      const first = Effect.runPromise(client.identify(hashOf("a")))
      const [firstAsk] = await asked(ledger)
      tell(ledger, identified(firstAsk!.id, "a"))
      assert.deepStrictEqual(await first, keyOf("a"))

      const second = Effect.runPromise(client.identify(hashOf("b")))
      const [secondAsk] = await asked(ledger)
      tell(ledger, identified(firstAsk!.id), identified(firstAsk!.id, "a"), identified(secondAsk!.id, "b"))
      assert.deepStrictEqual(await second, keyOf("b"))
    }))

  it("for keys it does not know are so many at once, and leave room for those of calls", () =>
    withLedger(async (client, ledger) => {
      const unknown = Array.from({ length: 2_000 }, (_, index) =>
        Effect.runPromiseExit(client.identify(index.toString(16).padStart(64, "0")))
      )
      const refused = await Effect.runPromiseExit(client.identify(hashOf("f")))
      assert.include(String(refused), "LedgerUnavailable")
      const admitted = Effect.runPromise(
        client.admitUnsafe(identity, { id: "req_1" as CallId, fromAllowance: 0n }, hold)
      )
      const asks = await asked(ledger)
      assert.strictEqual(asks.length, 2_001)
      tell(ledger, ...asks.slice(0, 2_000).map(({ id }) => identified(id)), {
        id: asks[2_000]!.id,
        answer: { _tag: "Admitted", granted: 2n }
      })
      assert.deepStrictEqual(await admitted, { _tag: "Admitted", granted: 2n })
      await Promise.all(unknown)
      const again = Effect.runPromise(client.identify(hashOf("f")))
      const [ask] = await asked(ledger)
      tell(ledger, identified(ask!.id, "f"))
      assert.deepStrictEqual(await again, keyOf("f"))
    }))

  it("hold for further calls out of the allowance that came with an answer, until too many asks are open", () =>
    withLedger(async (client, ledger, words) => {
      const admitted = (index: number) =>
        Effect.runPromise(
          client.admitUnsafe(identity, { id: `req_${index}` as CallId, fromAllowance: 0n }, hold)
        )
      const first = admitted(0)
      const [ask] = await asked(ledger)
      words.grant(3, 100n)
      const allowance = { index: 3, generation: 0 }
      tell(ledger, { id: ask!.id, answer: { _tag: "Admitted", granted: 2n, allowance } })
      assert.deepStrictEqual(await first, { _tag: "Admitted", granted: 2n })
      assert.deepStrictEqual(await admitted(1), { _tag: "Admitted", granted: 2n })
      assert.strictEqual(words.free(3), 98n)
      for (let index = 0; index < 50_000; index++) {
        client.extend(identity.accountId, { id: `req_${index}` as CallId, fromAllowance: 0n }, hold, () => {})
      }
      assert.deepStrictEqual(await admitted(2), { _tag: "Unavailable" })
      assert.strictEqual(words.free(3), 98n)
    }))

  it("each get their own answer, in whatever order answers come", () =>
    withLedger(async (client, ledger) => {
      const calls = Array.from({ length: 200 }, (_, index) =>
        Effect.runPromise(
          client.admitUnsafe(identity, { id: `req_${index}` as CallId, fromAllowance: 0n }, hold)
        )
      )
      const asks = await asked(ledger)
      const answers = asks.map(({ id, question }): Answered => {
        assert.strictEqual(question._tag, "Admit")
        const granted = BigInt(question._tag === "Admit" ? question.callId.slice(4) : 0)
        return { id, answer: { _tag: "Admitted", granted } }
      })
      tell(ledger, ...answers.toReversed())
      const granted = (await Promise.all(calls)).map((each) =>
        each._tag === "Admitted" ? each.granted : undefined
      )
      assert.deepStrictEqual(
        granted,
        calls.map((_, index) => BigInt(index))
      )
    }))

  it("do not hold out of an allowance once the node's lease has run out, though the word is still funded", () =>
    withLedger(async (client, ledger, words, deadline) => {
      const call = (id: string) => ({ id: id as CallId, fromAllowance: 0n })
      const first = Effect.runPromise(client.admitUnsafe(identity, call("req_0"), hold))
      const [ask] = await asked(ledger)
      words.grant(3, 100n)
      const allowance = { index: 3, generation: 0 }
      tell(ledger, { id: ask!.id, answer: { _tag: "Admitted", granted: 2n, allowance } })
      await first
      deadline.end()
      const late = Effect.runPromise(client.admitUnsafe(identity, call("req_1"), hold))
      const [lateAsk] = await asked(ledger)
      assert.strictEqual(lateAsk!.question._tag, "Admit")
      assert.strictEqual(words.free(3), 100n)
      tell(ledger, { id: lateAsk!.id, answer: { _tag: "Unavailable" } })
      await late
    }))

  it("hold nothing for a call whose thread was stopped between its look at the lease and the take", () =>
    withLedger(async (client, ledger, words, deadline) => {
      const call = { id: "req_1" as CallId, fromAllowance: 0n }
      const first = Effect.runPromise(
        client.admitUnsafe(identity, { id: "req_0" as CallId, fromAllowance: 0n }, hold)
      )
      const [ask] = await asked(ledger)
      words.grant(3, 100n)
      const allowance = { index: 3, generation: 0 }
      tell(ledger, { id: ask!.id, answer: { _tag: "Admitted", granted: 2n, allowance } })
      await first
      const take = words.take.bind(words)
      words.take = (...asked) => {
        deadline.end()
        return take(...asked)
      }
      const stopped = await Effect.runPromise(client.admitUnsafe(identity, call, hold))
      assert.deepStrictEqual(stopped, { _tag: "Unavailable" })
      assert.strictEqual(call.fromAllowance, 2n, "the ledger is told of it with the call's row")
    }))

  it("say whose hold it is and how much, and bring back by what rules it was granted", () =>
    withLedger(async (client, ledger) => {
      const call = { id: "req_1" as CallId, fromAllowance: 0n }
      const admitted = Effect.runPromise(client.admitUnsafe({ ...identity, secret: 3 }, call, hold))
      const [ask] = await asked(ledger)
      assert.deepStrictEqual(ask!.question, {
        _tag: "Admit",
        ...identity,
        secret: 3,
        callId: call.id,
        ...hold
      })
      const rules = { models: ["a"], endpoints: ["messages"], allowedIps: undefined } as const
      tell(ledger, { id: ask!.id, answer: { _tag: "Admitted", granted: 2n, rules } })
      assert.deepStrictEqual(await admitted, { _tag: "Admitted", granted: 2n, rules })
    }))

  it("hold nothing where the lease ran out while the answer was on its way, and are refused as they were", () =>
    withLedger(async (client, ledger, _words, deadline) => {
      const admit = (id: string) =>
        Effect.runPromise(client.admitUnsafe(identity, { id: id as CallId, fromAllowance: 0n }, hold))
      const both = Promise.all([admit("req_1"), admit("req_2")])
      const [first, second] = await asked(ledger)
      deadline.end()
      tell(
        ledger,
        { id: first!.id, answer: { _tag: "Admitted", granted: 2n } },
        { id: second!.id, answer: { _tag: "Insufficient" } }
      )
      assert.deepStrictEqual(await both, [{ _tag: "Unavailable" }, { _tag: "Insufficient" }])
    }))

  it("do not hold out of an allowance that came for another secret, nor for what costs nothing", () =>
    withLedger(async (client, ledger, words) => {
      const admit = (secret: number, wanted: bigint) =>
        Effect.runPromise(
          client.admitUnsafe(
            { ...identity, secret },
            { id: "req_1" as CallId, fromAllowance: 0n },
            { minimum: 0n, wanted }
          )
        )
      const first = admit(0, 2n)
      const [ask] = await asked(ledger)
      words.grant(3, 100n)
      const allowance = { index: 3, generation: 0 }
      tell(ledger, { id: ask!.id, answer: { _tag: "Admitted", granted: 2n, allowance } })
      await first
      for (const [secret, wanted] of [
        [1, 2n],
        [0, 0n]
      ] as const) {
        const admitted = admit(secret, wanted)
        const [again] = await asked(ledger)
        tell(ledger, { id: again!.id, answer: { _tag: "Insufficient" } })
        assert.deepStrictEqual(await admitted, { _tag: "Insufficient" })
      }
      assert.strictEqual(words.free(3), 100n)
    }))

  it("to charge a call fail where its hold was lost, and hand over what it held here", () =>
    withLedger(async (client, ledger) => {
      const settle = (answer: Answered["answer"]) => {
        const call = { id: "req_1" as CallId, fromAllowance: 5n }
        const settled = Effect.runPromiseExit(client.settle(callRecord(identity, call.id, 3n), call))
        return asked(ledger).then(async ([ask]) => {
          assert.isTrue(ask!.question._tag === "Settle" && ask!.question.fromAllowance === 5n)
          tell(ledger, { id: ask!.id, answer })
          return [(await settled)._tag, call.fromAllowance]
        })
      }
      assert.deepStrictEqual(await settle({ _tag: "Settled" }), ["Success", 0n])
      assert.deepStrictEqual(await settle({ _tag: "Unpaid" }), ["Failure", 0n])
    }))

  it("for a key that is known are none", () =>
    withLedger(async (client, ledger) => {
      const first = Effect.runPromise(client.identify(hashOf("a")))
      const [ask] = await asked(ledger)
      assert.deepStrictEqual(ask!.question, { _tag: "Identify", secretHash: Buffer.from(hashOf("a"), "hex") })
      tell(ledger, identified(ask!.id, "a"))
      await first
      assert.deepStrictEqual(Effect.runSync(client.identify(hashOf("a"))), keyOf("a"))
    }))

  it("reach the ledger where the thread ends in the same turn", () =>
    withLedger(async (client, ledger) => {
      const callId = "call_1" as CallId
      const frame = asked(ledger)
      client.record(callRecord(identity, callId, 0n), { id: callId, fromAllowance: 0n })
      client.close()
      const [row] = await frame
      assert.isTrue(row?.question._tag === "Settle" && row.question.record.callId === callId)
    }))
})
