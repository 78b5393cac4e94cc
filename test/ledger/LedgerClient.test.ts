/** A gateway thread's asks, whatever comes back: each is answered once, and only by its own answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { MessageChannel, type MessagePort } from "node:worker_threads"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import { AllowanceWords } from "../../src/ledger/AllowanceWords.ts"
import { admission, type Message, packFrame, unpackFrame } from "../../src/ledger/frames.ts"
import { LedgerConnection } from "../../src/ledger/LedgerClient.ts"

const withLedger = async (
  use: (client: LedgerConnection, ledger: MessagePort, words: AllowanceWords) => Promise<void>
) => {
  const { port1, port2 } = new MessageChannel()
  const words = AllowanceWords.make(4)
  try {
    await use(new LedgerConnection(port1, words), port2, words)
  } finally {
    port1.close()
    port2.close()
  }
}

/** The next frame of asks that the ledger gets. */
const asked = async (ledger: MessagePort): Promise<ReadonlyArray<Message>> => {
  const [frame] = (await once(ledger, "message")) as [Uint8Array]
  return unpackFrame(frame)
}
const tell = (ledger: MessagePort, ...answers: ReadonlyArray<Message>) =>
  ledger.postMessage(packFrame(answers))
const hashOf = (letter: string) => letter.repeat(64)
const identity = { accountId: "acc_1" as AccountId, keyId: "key_1" as KeyId }
const hold = { minimum: 1n, wanted: 2n }

describe("asks of a gateway thread", () => {
  it("are not answered by what was said twice to somebody before them", () =>
    withLedger(async (client, ledger) => {
      const first = Effect.runPromise(client.identify(hashOf("a")))
      const [firstAsk] = await asked(ledger)
      tell(ledger, [firstAsk![0], "key_a", "acc_a"])
      assert.deepStrictEqual(await first, { keyId: "key_a" as KeyId, accountId: "acc_a" as AccountId })

      const second = Effect.runPromise(client.identify(hashOf("b")))
      const [secondAsk] = await asked(ledger)
      tell(ledger, [firstAsk![0]], [firstAsk![0], "key_a", "acc_a"], [secondAsk![0], "key_b", "acc_b"])
      assert.deepStrictEqual(await second, { keyId: "key_b" as KeyId, accountId: "acc_b" as AccountId })
    }))

  it("for keys it does not know are so many at once, and leave room for those of calls", () =>
    withLedger(async (client, ledger) => {
      const unknown = Array.from({ length: 2_000 }, (_, index) =>
        Effect.runPromiseExit(client.identify(index.toString(16).padStart(64, "0")))
      )
      const refused = await Effect.runPromiseExit(client.identify(hashOf("f")))
      assert.include(String(refused), "LedgerUnavailable")
      const admitted = Effect.runPromise(
        client.admit(identity, { id: "req_1" as CallId, fromAllowance: 0n }, hold)
      )
      const asks = await asked(ledger)
      assert.strictEqual(asks.length, 2_001)
      tell(ledger, ...asks.slice(0, 2_000).map(([id]) => [id]), [asks[2_000]![0], admission.admitted, 2])
      assert.deepStrictEqual(await admitted, { _tag: "Admitted", granted: 2n })
      await Promise.all(unknown)
      const again = Effect.runPromise(client.identify(hashOf("f")))
      const [ask] = await asked(ledger)
      tell(ledger, [ask![0], "key_f", "acc_f"])
      assert.deepStrictEqual(await again, { keyId: "key_f" as KeyId, accountId: "acc_f" as AccountId })
    }))

  it("hold for further calls out of the allowance that came with an answer, until too many asks are open", () =>
    withLedger(async (client, ledger, words) => {
      const admitted = (index: number) =>
        Effect.runPromise(client.admit(identity, { id: `req_${index}` as CallId, fromAllowance: 0n }, hold))
      const first = admitted(0)
      const [ask] = await asked(ledger)
      words.grant(3, 100n)
      tell(ledger, [ask![0], admission.admitted, 2, 3, 0])
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
        Effect.runPromise(client.admit(identity, { id: `req_${index}` as CallId, fromAllowance: 0n }, hold))
      )
      const asks = await asked(ledger)
      const answers = asks.map(([id, , , , callId]) => [
        id,
        admission.admitted,
        Number(String(callId).slice(4))
      ])
      tell(ledger, ...answers.toReversed())
      const granted = (await Promise.all(calls)).map((each) =>
        each._tag === "Admitted" ? each.granted : undefined
      )
      assert.deepStrictEqual(
        granted,
        calls.map((_, index) => BigInt(index))
      )
    }))
})
