/** Gateway threads that hold for calls out of allowances, and what ends that. */
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import type { KeyId } from "../../src/domain/ids.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { DatabaseProxy } from "./DatabaseProxy.ts"
import { lockWallet } from "./lock-wallet.ts"
import { callRecord, type Customer, newCallId } from "./call-record.ts"
import {
  auditOf,
  balanceOf,
  credit,
  limitRate,
  newCustomer,
  revoke,
  startLedger,
  type TestLedger
} from "./start-ledger.ts"
import { startThread, type ThreadLedger } from "./ThreadLedger.ts"
import { delay } from "../delay.ts"

let database: TestDatabase
let ledger: TestLedger
const threads: Array<ThreadLedger> = []
beforeAll(async () => {
  database = await startTestDatabase()
  ledger = await startLedger(database.url)
})
afterAll(async () => {
  for (const thread of threads) thread.link.dispose()
  await ledger.stop()
  await database.stop()
})

const newThread = async (of: TestLedger = ledger) => {
  const thread = await startThread(of)
  threads.push(thread)
  return thread
}

/** A customer of whom the thread holds one call by itself, and the µVND of both its calls. */
const withAllowance = async (thread: ThreadLedger, balance: bigint, wanted = 10n) => {
  const customer = await newCustomer(database.url, balance)
  const calls = [newCallId(), newCallId()] as const
  for (const callId of calls) {
    assert.deepStrictEqual(await thread.admit(customer, callId, wanted), {
      _tag: "Admitted",
      granted: wanted
    })
  }
  assert.strictEqual(thread.client.holdsFromAllowances, 1, "the second call was not asked for")
  return { customer, calls }
}

const tagOf = async (thread: ThreadLedger, customer: Customer, wanted = 1n) =>
  (await thread.admit(customer, newCallId(), wanted))._tag

describe("an allowance", () => {
  it("lets a thread hold for a call by itself, and the call is charged like any other", async () => {
    const thread = await newThread()
    const { calls, customer } = await withAllowance(thread, 10_000n)
    assert.strictEqual(ledger.ledger.wallets.heldBy(customer.accountId), 20n)
    for (const callId of calls) await thread.settle(callRecord(customer, callId, 7n))
    assert.strictEqual(thread.client.holdsFromAllowances, 0)
    assert.strictEqual(ledger.ledger.wallets.heldBy(customer.accountId), 0n)
    assert.strictEqual(await balanceOf(database.url, customer.accountId), 9_986n)
  })

  it("of one thread is there for another that lacks it, and two spend all of a wallet and not more", async () => {
    const both = [await newThread(), await newThread()]
    const customer = await newCustomer(database.url, 500n * 70n)
    const spend = async (thread: ThreadLedger) => {
      let spent = 0
      for (;;) {
        const callId = newCallId()
        const answer = await thread.admit(customer, callId, 70n)
        if (answer._tag !== "Admitted") return spent
        await thread.settle(callRecord(customer, callId, 70n))
        spent++
      }
    }
    const spent = await Promise.all(Array.from({ length: 40 }, (_, index) => spend(both[index % 2]!)))
    assert.strictEqual(
      spent.reduce((sum, calls) => sum + calls, 0),
      500
    )
    assert.strictEqual(await balanceOf(database.url, customer.accountId), 0n)
    assert.deepStrictEqual((await auditOf(database.url)).violations, [])
  })

  it("of a rich wallet lets no call through that is not held for: 1,000 at once get 600 holds", async () => {
    const both = [await newThread(), await newThread()]
    const customer = await newCustomer(database.url, 600n * 70n + 69n)
    const tags = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => tagOf(both[index % 2]!, customer, 70n))
    )
    assert.lengthOf(
      tags.filter((tag) => tag === "Admitted"),
      600
    )
    assert.lengthOf(
      tags.filter((tag) => tag === "Insufficient"),
      400
    )
    assert.strictEqual(ledger.ledger.wallets.heldBy(customer.accountId), 600n * 70n)
  })

  it("vouches for its wallet as long as something of it is left, and not without it", async () => {
    const thread = await newThread()
    const { calls, customer } = await withAllowance(thread, 10_000n)
    const check = async () => (await Effect.runPromise(thread.client.checkFunds(customer, newCallId())))._tag
    assert.isTrue(Exit.isExit(thread.client.checkFunds(customer, newCallId())), "nothing was asked")
    await credit(database.url, customer.accountId, -9_980n)
    assert.isFalse(Exit.isExit(thread.client.checkFunds(customer, newCallId())))
    assert.strictEqual(await check(), "Insufficient")
    await thread.settle(callRecord(customer, calls[1], 5n))
    assert.strictEqual(await check(), "Admitted")
  })

  it("is gone once a revocation has returned", async () => {
    const thread = await newThread()
    const { calls, customer } = await withAllowance(thread, 10_000n)
    await revoke(database.url, customer.keyId)
    assert.strictEqual(await tagOf(thread, customer), "Revoked")
    await thread.settle(callRecord(customer, calls[1], 10n))
    assert.strictEqual(await balanceOf(database.url, customer.accountId), 9_990n)
  })

  it("is gone once the key has a rate limit, and does not come back", async () => {
    const thread = await newThread()
    const { customer } = await withAllowance(thread, 10_000n)
    await limitRate(database.url, customer.keyId, 2)
    const tags = [await tagOf(thread, customer), await tagOf(thread, customer), await tagOf(thread, customer)]
    assert.deepStrictEqual(tags, ["Admitted", "Admitted", "Limited"])
  })

  it("is gone once an operator has taken the money away", async () => {
    const thread = await newThread()
    const { customer } = await withAllowance(thread, 10_000n)
    await credit(database.url, customer.accountId, -9_980n)
    assert.strictEqual(await tagOf(thread, customer), "Insufficient")
  })

  it("is gone when no calls are to be admitted", async () => {
    const thread = await newThread()
    const { customer } = await withAllowance(thread, 10_000n)
    for (const tag of ["Maintenance", "Draining"] as const) {
      ledger.ledger.refuse({ _tag: tag })
      assert.strictEqual(await tagOf(thread, customer), tag)
      ledger.ledger.refuse(undefined)
      assert.strictEqual(await tagOf(thread, customer), "Admitted")
    }
  })

  it.each([
    ["a revocation", (key: KeyId) => revoke(database.url, key), ["Revoked", "Revoked"]],
    ["a rate limit", (key: KeyId) => limitRate(database.url, key, 1), ["Admitted", "Limited"]],
    ["maintenance", () => ledger.ledger.refuse({ _tag: "Maintenance" }), ["Maintenance", "Maintenance"]]
  ] as const)("is not given to a call that has waited for its wallet during %s", async (_, act, expected) => {
    const thread = await newThread()
    const customer = await newCustomer(database.url, 10_000n)
    assert.strictEqual(await tagOf(thread, customer, 0n), "Admitted", "the key is known")
    const lock = await lockWallet(database.url, customer)
    ledger.ledger.walletChanged(customer.accountId)
    const waiting = tagOf(thread, customer)
    await lock.whileOthersWait()
    const acting = act(customer.keyId)
    await delay(50)
    await lock.release()
    await acting
    await waiting
    const tags: ReadonlyArray<string> = [await tagOf(thread, customer), await tagOf(thread, customer)]
    assert.deepStrictEqual(tags, expected)
    ledger.ledger.refuse(undefined)
  })

  it("of one thread is there for another that would hold all there is", async () => {
    const thread = await newThread()
    const { customer } = await withAllowance(thread, 10_000n)
    const other = await newThread()
    const answer = await other.admit(customer, newCallId(), 1_000_000n, 1n)
    assert.deepStrictEqual(answer, { _tag: "Admitted", granted: 9_980n })
  })

  it("is not what calls are held out of that cost nothing", async () => {
    const thread = await newThread()
    const customer = await newCustomer(database.url, 10n)
    for (let count = 0; count < 3; count++) {
      const callId = newCallId()
      assert.strictEqual((await thread.admit(customer, callId, 0n))._tag, "Admitted")
      await thread.settle(callRecord(customer, callId, 0n))
    }
    assert.strictEqual(thread.client.holdsFromAllowances, 0)
    const other = await newThread()
    assert.strictEqual(await tagOf(other, customer, 10n), "Admitted")
    assert.strictEqual(await tagOf(thread, customer, 0n), "Insufficient")
  })

  it("that a call had been held out of is free again when its thread dies after the call was extended", async () => {
    const thread = await newThread()
    const { calls, customer } = await withAllowance(thread, 10_000n)
    const { accountId } = customer
    await Effect.runPromise(
      thread.ledger.extendUnsafe({ accountId, callId: calls[1], minimum: 1n, wanted: 5n })
    )
    assert.strictEqual(thread.client.holdsFromAllowances, 0)
    assert.strictEqual(ledger.ledger.wallets.heldBy(accountId), 25n)
    thread.link.dispose()
    assert.strictEqual(ledger.ledger.wallets.heldBy(accountId), 0n)
  })

  it("is gone when a call has cost more than the wallet had left", async () => {
    const thread = await newThread()
    const { calls, customer } = await withAllowance(thread, 1_000n)
    await thread.settle(callRecord(customer, calls[0], 1_001n))
    assert.strictEqual(await tagOf(thread, customer), "Insufficient")
    assert.strictEqual(await balanceOf(database.url, customer.accountId), -1n)
  })

  it("of one node is there for another that lacks it", async () => {
    const thread = await newThread()
    const { customer } = await withAllowance(thread, 10_000n)
    const other = await startLedger(database.url)
    assert.strictEqual(await other.admit(customer, newCallId(), 9_980n), 9_980n)
    assert.strictEqual(await tagOf(thread, customer), "Insufficient")
    await other.stop()
  })

  it("ends with its wallet's stay in memory, and not before its calls have", async () => {
    const thread = await newThread()
    const { calls, customer } = await withAllowance(thread, 10_000n)
    const { wallets } = ledger.ledger
    const later = performance.now() + 365 * 24 * 3_600_000
    ledger.ledger.putAwayIdle(later)
    assert.isTrue(wallets.has(customer.accountId))
    for (const callId of calls) await thread.settle(callRecord(customer, callId, 10n))
    ledger.ledger.putAwayIdle(later)
    assert.isFalse(wallets.has(customer.accountId))
    assert.strictEqual(await tagOf(thread, customer), "Admitted")
    assert.strictEqual(wallets.heldBy(customer.accountId), 1n)
    assert.strictEqual(await balanceOf(database.url, customer.accountId), 9_980n)
  })

  it("and all that was held out of it is free again when its thread dies", async () => {
    const thread = await newThread()
    const { customer } = await withAllowance(thread, 10_000n)
    thread.link.dispose()
    assert.strictEqual(ledger.ledger.wallets.heldBy(customer.accountId), 0n)
    const next = await newThread()
    const answer = await next.admit(customer, newCallId(), 10_000n)
    assert.deepStrictEqual(answer, { _tag: "Admitted", granted: 10_000n })
  })

  it("is gone while the database is away, and calls under way are charged all the same", async () => {
    const proxy = new DatabaseProxy(database.url)
    const behind = await startLedger(database.url, { nodeUrl: await proxy.start() })
    const thread = await newThread(behind)
    const { calls, customer } = await withAllowance(thread, 10_000n)
    proxy.refuses = true
    proxy.cut()
    await behind.untilAvailable(false)
    assert.strictEqual(await tagOf(thread, customer), "Unavailable")
    const settled = thread.settle(callRecord(customer, calls[1], 10n))
    proxy.refuses = false
    await settled
    await behind.untilAvailable()
    assert.strictEqual(await tagOf(thread, customer), "Admitted")
    assert.strictEqual(await balanceOf(database.url, customer.accountId), 9_990n)
    await behind.stop()
    await proxy.stop()
  })
})
