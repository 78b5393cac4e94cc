import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { createAccount } from "../../src/accounts/accounts.ts"
import { currentMaintenance, setMaintenance } from "../../src/accounts/maintenance.ts"
import { type CreditRequest, creditWallet, showWallet } from "../../src/accounts/wallet-credit.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { fromVnd } from "../../src/domain/money.ts"
import { audit } from "../../src/ledger/audit.ts"
import { Database } from "../../src/storage/Database.ts"
import { startFakeNode } from "./fake-node.ts"
import { freshEmail, TestDatabase } from "./test-database.ts"

const actor = "test"
const openAccount = (credit: bigint) =>
  Effect.suspend(() => createAccount({ email: freshEmail(), credit: fromVnd(credit), actor }))
const credit = (accountId: AccountId, vnd: bigint, more: Partial<CreditRequest> = {}) =>
  creditWallet({
    accountId,
    amount: fromVnd(vnd),
    reason: "a test",
    actor,
    creditId: crypto.randomUUID(),
    ...more
  })
const readEntries = Effect.fnUntraced(function* (accountId: AccountId) {
  const database = yield* Database
  return yield* database.run(
    "read entries",
    (sql) => sql<Array<{ amount: bigint; reason: string; actor: string }>>`
    select amount_micro_vnd as amount, reason, actor from ledger_entries where account_id = ${accountId} order by id`
  )
})

layer(TestDatabase, { excludeTestServices: true, timeout: "60 seconds" })("wallets", (it) => {
  it.effect("a new account starts with its credit as a ledger entry", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount(50_000n)
      assert.deepStrictEqual(yield* showWallet(accountId), { balance: fromVnd(50_000n), held: 0n })
      assert.deepStrictEqual(
        [...(yield* readEntries(accountId))],
        [{ amount: fromVnd(50_000n), reason: "opening credit", actor }]
      )
    })
  )

  it.effect("credits and corrections add up, and each says why and by whom", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount(0n)
      assert.strictEqual((yield* credit(accountId, 200n)).balance, fromVnd(200n))
      assert.strictEqual((yield* credit(accountId, -150n, { reason: "typed twice" })).balance, fromVnd(50n))
      assert.deepStrictEqual(
        [...(yield* readEntries(accountId))],
        [
          { amount: fromVnd(200n), reason: "a test", actor },
          { amount: fromVnd(-150n), reason: "typed twice", actor }
        ]
      )
    })
  )

  it.effect("a correction beyond the balance is refused, unless it is forced", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount(100n)
      const refused = yield* Effect.flip(credit(accountId, -101n))
      assert.strictEqual(
        refused.message,
        "The balance is 100 VND, and the correction would take it below zero, which --force lets it"
      )
      assert.strictEqual((yield* credit(accountId, -101n, { force: true })).balance, fromVnd(-1n))
      assert.strictEqual((yield* credit(accountId, 1n)).balance, 0n)
    })
  )

  it.effect("a correction leaves what calls under way hold, unless it is forced", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount(100n)
      const node = yield* startFakeNode
      const correcting = yield* Effect.forkChild(Effect.flip(credit(accountId, -50n)))
      const [question] = yield* node.hear
      yield* node.answerHeld(question!.id, fromVnd(60n))
      yield* node.confirm(question!.id)
      assert.strictEqual(
        (yield* Fiber.join(correcting)).message,
        "The balance is 100 VND, and the correction would take it below the 60 VND that calls under way hold, which --force lets it"
      )
      const forcing = yield* Effect.forkChild(credit(accountId, -50n, { force: true }))
      yield* node.confirm((yield* node.hear).at(-1)!.id)
      assert.strictEqual((yield* Fiber.join(forcing)).balance, fromVnd(50n))
    })
  )

  it.effect("of parallel corrections only those that fit are made", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount(100n)
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.result(credit(accountId, -30n)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Success").length, 3)
      assert.strictEqual((yield* showWallet(accountId)).balance, fromVnd(10n))
    })
  )

  it.effect("the same credit sent twenty times counts once", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount(0n)
      const balances = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.map(credit(accountId, 70n, { creditId: `once ${accountId}` }), ({ balance }) => balance),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(balances), new Set([fromVnd(70n)]))
      assert.strictEqual((yield* readEntries(accountId)).length, 1)
    })
  )

  it.effect("a credit's name can not be given to another amount, nor to another account", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* openAccount(0n), yield* openAccount(0n)]
      const creditId = `name of ${first.accountId}`
      yield* credit(first.accountId, 70n, { creditId })
      const refused = [
        yield* Effect.flip(credit(first.accountId, 700n, { creditId })),
        yield* Effect.flip(credit(second.accountId, 70n, { creditId }))
      ]
      for (const { message } of refused)
        assert.strictEqual(message, "A credit of this name has been made already, of 70 VND")
      assert.strictEqual((yield* showWallet(first.accountId)).balance, fromVnd(70n))
      assert.strictEqual((yield* showWallet(second.accountId)).balance, 0n)
    })
  )

  it.effect("nothing, too much and no reason are refused", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount(0n)
      assert.match((yield* Effect.flip(credit(accountId, 0n))).message, /amount/)
      assert.match((yield* Effect.flip(credit(accountId, 1_000_000_000_001n))).message, /amount/)
      assert.match((yield* Effect.flip(credit(accountId, -1_000_000_000_001n))).message, /amount/)
      assert.match((yield* Effect.flip(credit(accountId, 1n, { reason: " " }))).message, /reason/)
      assert.deepStrictEqual(yield* showWallet(accountId), { balance: 0n, held: 0n })
    })
  )

  it.effect("what is held is the sum of what the running nodes answer", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount(100n)
      const nodes = [yield* startFakeNode, yield* startFakeNode]
      const showing = yield* Effect.forkChild(showWallet(accountId))
      for (const [index, node] of nodes.entries()) {
        const [question] = yield* node.hear
        assert.deepStrictEqual([question!.kind, question!.subject], ["held", accountId])
        yield* node.answerHeld(question!.id, fromVnd(10n + BigInt(index)))
        yield* node.confirm(question!.id)
      }
      assert.deepStrictEqual(yield* Fiber.join(showing), { balance: fromVnd(100n), held: fromVnd(21n) })
      const database = yield* Database
      assert.strictEqual(
        (yield* database.run("read answers", (sql) => sql`select from node_answers`)).length,
        0
      )
    })
  )

  it.effect("a credit tells the nodes of it, then asks what is held", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount(0n)
      const node = yield* startFakeNode
      const crediting = yield* Effect.forkChild(credit(accountId, 5n))
      const events = yield* node.hear
      assert.deepStrictEqual(
        events.map(({ kind, subject }) => [kind, subject]),
        [
          ["wallet", accountId],
          ["held", accountId]
        ]
      )
      yield* node.confirm(events[1]!.id)
      assert.strictEqual((yield* Fiber.join(crediting)).balance, fromVnd(5n))
    })
  )

  it.effect("maintenance is off at first, and on and off as it is set, once nodes know", () =>
    Effect.gen(function* () {
      assert.isFalse((yield* currentMaintenance()).isOn)
      const node = yield* startFakeNode
      const setting = yield* Effect.forkChild(setMaintenance(true, actor))
      const [event] = yield* node.hear
      assert.strictEqual(event!.kind, "maintenance")
      assert.isTrue((yield* currentMaintenance()).isOn)
      assert.isUndefined(setting.pollUnsafe())
      yield* node.confirm(event!.id)
      yield* Fiber.join(setting)
    })
  )

  it.effect("every action is in the audit log with its actor", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount(0n)
      yield* credit(accountId, 5n)
      const database = yield* Database
      const actions = yield* database.run(
        "read actions",
        (sql) => sql<Array<{ action: string; actor: string }>>`
        select action, actor from audit_log where subject = ${accountId} order by id`
      )
      assert.deepStrictEqual(
        [...actions],
        [
          { action: "account.create", actor },
          { action: "wallet.credit", actor }
        ]
      )
    })
  )

  it.effect("after all of this the books agree", () =>
    Effect.gen(function* () {
      const report = yield* audit()
      assert.deepStrictEqual(report.violations, [])
      assert.isTrue(report.ok)
      assert.isAbove(report.entries, 5)
    })
  )
})
