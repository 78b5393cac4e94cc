/** The same random commands to the model of the database and to PostgreSQL, which must answer alike and be left alike. */
import { assert } from "@effect/vitest"
import type { CallRecord } from "../../src/domain/call.ts"
import type { WaitingAsk } from "../../src/domain/escrow.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import {
  type BudgetHold,
  holdBudgets,
  readBudgetUse,
  releaseBudgets
} from "../../src/storage/keys/BudgetStore.ts"
import { commitCalls } from "../../src/storage/calls/commit-calls.ts"
import type { Sql } from "../../src/storage/Database.ts"
import {
  claimWallets,
  type Escrow,
  type EscrowClaim,
  giveBack,
  returnWallets
} from "../../src/storage/EscrowStore.ts"
import { type Permit, takePermits } from "../../src/storage/keys/LimitStore.ts"
import { type Beat, beat, beginJournal, leaveNode, registerNode } from "../../src/storage/NodeStore.ts"
import { callRecord, type Customer } from "../ledger/call-record.ts"
import type { Random } from "../Random.ts"
import { DatabaseModel } from "./DatabaseModel.ts"
import { stillClock } from "./still-clock.ts"

/** Leases and waits are multiples of it, so that their very ends are met, and a tenth of a second is not. */
const stepMs = 250
const nobodyHears = { onNotice: () => {}, onGone: () => {}, onCommitted: () => {} }

export class ModelRun {
  readonly #sql: Sql
  readonly #random: Random
  readonly #customers: ReadonlyArray<Customer>
  readonly #keys: ReadonlyArray<Customer>
  readonly #model: DatabaseModel
  readonly #sessions: Array<{ readonly nodeId: number; readonly slot: number; readonly session: number }> = []
  readonly #records: Array<CallRecord> = []
  #nowMs = 0
  #lives = 0

  /** All keys of each account, which whoever holds it has made. */
  constructor(sql: Sql, random: Random, members: ReadonlyArray<ReadonlyArray<Customer>>, credit: bigint) {
    this.#sql = sql
    this.#random = random
    this.#customers = members.map(([first]) => first!)
    this.#keys = members.flat()
    this.#model = new DatabaseModel(() => this.#nowMs, nobodyHears)
    for (const { accountId } of this.#customers) {
      this.#model.wallets.set(accountId, { booked: credit, active: true, escrows: new Map() })
    }
  }

  /** Two keys have one that is soon spent, and never begins anew; so has whoever made them and others. */
  async #setBudgets(): Promise<void> {
    const { budgets, makers, memberBudgets } = this.#model.budgets
    for (const { accountId, keyId } of this.#keys) makers.set(keyId, accountId)
    for (const [index, { accountId, keyId }] of this.#customers.entries()) {
      const budget = BigInt(400 * (index + 1))
      await this.#sql`update keys set budget_micro_vnd = ${budget}, budget_period = 'total' where id = ${keyId}`
      budgets.set(keyId, budget)
      memberBudgets.set(accountId, budget + 200n)
      await this.#sql`insert into member_budgets (account_id, person_id, budget_micro_vnd, budget_period)
        values (${accountId}, ${accountId}, ${budget + 200n}, 'total')`
    }
  }

  async begin(): Promise<void> {
    await this.#sql.unsafe(stillClock)
    const [{ ms }] = await this.#sql<
      [{ ms: number }]
    >`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
    this.#nowMs = ms
    await this.#setBudgets()
    await this.#register()
    await this.#register()
  }

  async step(): Promise<void> {
    await this.#pass(stepMs * this.#random.pick([0, 0, 1, 2, 4, 11]))
    await this.#random.pick([
      () => this.#claim(),
      () => this.#claim(),
      () => this.#claim(),
      () => this.#commit(),
      () => this.#commit(),
      () => this.#giveBack(),
      () => this.#beat(),
      () => this.#beat(),
      () => this.#beat(),
      () => this.#permits(),
      () => this.#holdBudgets(),
      () => this.#holdBudgets(),
      () => this.#releaseBudgets(),
      () => this.#seldom()
    ])()
  }

  async #seldom(): Promise<void> {
    await this.#random.pick([
      () => this.#register(),
      () => this.#leave(),
      () => this.#beginJournal(),
      () => this.#return(),
      () => this.#credit(),
      () => this.#serveAnew(),
      () => this.#setBack()
    ])()
  }

  async verifyState(): Promise<void> {
    const rows = await this.#sql<Array<{ account_id: AccountId; balance: bigint; escrows: string }>>`
      select account_id, b.balance_micro_vnd as balance, coalesce((
        select string_agg(concat_ws(' ', e.node_id, e.amount_micro_vnd, e.spent_micro_vnd, e.exact), ', ' order by e.node_id)
        from wallet_escrows e where e.account_id = b.account_id), '') as escrows
      from wallet_balances b order by account_id`
    const modelled = [...this.#model.wallets].map(([accountId, wallet]) => ({
      account_id: accountId,
      balance: this.#model.balanceOf(wallet),
      escrows: [...wallet.escrows]
        .sort(([one], [other]) => one - other)
        .map(([id, { amount, exact, spent }]) => `${id} ${amount} ${spent} ${exact ? "t" : "f"}`)
        .join(", ")
    }))
    modelled.sort((one, other) => (one.account_id < other.account_id ? -1 : 1))
    assert.deepStrictEqual([...rows], modelled)
    for (const { keyId } of this.#keys) {
      const { held, spent } = await readBudgetUse(this.#sql, keyId, "total")
      const { budgets } = this.#model
      assert.deepStrictEqual([spent, held], [budgets.spentOf(keyId), budgets.heldOf(keyId)], keyId)
    }
  }

  async #pass(ms: number): Promise<void> {
    this.#nowMs += ms
    await this.#sql`update test_time.clock set at = at + ${ms}::float8 * interval '1 millisecond'`
  }

  /** Its clock is set back. */
  #setBack(): Promise<void> {
    return this.#pass(-stepMs * this.#random.pick([1, 3, 12, 4_000]))
  }

  get #session() {
    return this.#random.pick(this.#sessions)
  }

  async #register(): Promise<void> {
    const token = `life ${++this.#lives}`
    const former = this.#random.chance(0.5) ? [`life ${1 + this.#random.below(this.#lives)}`] : []
    const { id, slot } = await registerNode(this.#sql, token, former)
    const modelled = this.#model.register(token, former)
    assert.deepStrictEqual({ id, slot }, { id: modelled.id, slot: modelled.slot })
    this.#sessions.push({ nodeId: id, slot, session: 0 })
    await this.#beginJournalOf(this.#sessions.at(-1)!)
  }

  #beginJournal(): Promise<void> {
    return this.#beginJournalOf(this.#session)
  }

  async #beginJournalOf({ nodeId, slot }: { readonly nodeId: number; readonly slot: number }): Promise<void> {
    const session = await beginJournal(this.#sql, this.#model.nodes.known(nodeId))
    // Whoever declares it gone would end this very connection.
    await this.#sql`update nodes set journal_pid = null`
    assert.strictEqual(
      session,
      this.#model.nodes.beginJournal(nodeId, () => {})
    )
    if (session !== undefined) this.#sessions.push({ nodeId, slot, session })
  }

  async #beat(): Promise<void> {
    const { nodeId } = this.#session
    const told = (answer: Beat | undefined) =>
      answer && { atMs: answer.atMs, liveNodes: answer.liveNodes, recalled: [...answer.recalled].sort() }
    // What is told of is of this moment or of another.
    const agoMs = this.#random.pick([undefined, -stepMs, 0, 1_000])
    const toldAtMs = agoMs === undefined ? undefined : this.#nowMs - agoMs
    const answer = await beat(this.#sql, this.#model.nodes.known(nodeId), 0n, toldAtMs)
    assert.deepStrictEqual(told(answer), told(this.#model.beat(nodeId, 0n, toldAtMs)))
  }

  async #leave(): Promise<void> {
    const { nodeId } = this.#session
    await leaveNode(this.#sql, this.#model.nodes.known(nodeId))
    this.#model.leave(nodeId)
  }

  async #claim(): Promise<void> {
    const random = this.#random
    const session = this.#session
    const asks = new Map<AccountId, WaitingAsk>()
    for (const { accountId } of this.#customers) {
      if (random.chance(0.4)) continue
      // Below zero, what is there now will do; the most wanted is more than a wallet ever has.
      const minimum = random.chance(0.3) ? -1n : BigInt(random.below(200) - 20)
      const wanted = BigInt(random.pick([0, 1, 30, 400, 4_000])) + (minimum > 0n ? minimum : 0n)
      asks.set(accountId, { minimum, wanted, waitedMs: random.pick([175, 500.9, 1_250, 3_000]) })
    }
    const inOrder = (claims: ReadonlyArray<EscrowClaim> | undefined) =>
      claims && [...claims].sort((one, other) => (one.accountId < other.accountId ? -1 : 1))
    if (asks.size === 0) return
    const claims = inOrder(await claimWallets(this.#sql, session, asks))
    assert.deepStrictEqual(claims, inOrder(this.#model.claim(session.nodeId, session.session, asks)))
  }

  #escrows(): ReadonlyArray<Escrow> {
    const some = this.#customers.filter(() => this.#random.chance(0.5))
    return some.map(({ accountId }) => ({
      accountId,
      amount: BigInt(this.#random.below(150)),
      isExact: this.#random.chance(0.6)
    }))
  }

  async #commit(): Promise<void> {
    const session = this.#session
    const random = this.#random
    const records = new Set(Array.from({ length: 1 + random.below(3) }, () => this.#someCall()))
    const batch = { records: [...records], escrows: this.#escrows() }
    const isDone = await commitCalls(this.#sql, session, batch)
    assert.strictEqual(isDone, this.#model.commit(session.nodeId, session.session, batch))
  }

  /** A new one, one that holds of a budget, or one that is in the log. */
  #someCall(): CallRecord {
    const random = this.#random
    if (this.#records.length > 0 && random.chance(0.5)) return random.pick(this.#records.slice(-12))
    const callId = `call_${this.#records.length}` as CallId
    const record = callRecord(random.pick(this.#keys), callId, BigInt(random.below(3) * 20))
    this.#records.push(record)
    return record
  }

  async #holdBudgets(): Promise<void> {
    const session = this.#session
    const random = this.#random
    const calls = new Set(Array.from({ length: 1 + random.below(4) }, () => this.#someCall()))
    const asks = [...calls].map(({ atMs, callId, keyId }) => {
      const minimum = BigInt(random.below(120) - 10)
      return { atMs, callId, keyId, minimum, wanted: BigInt(random.pick([0, 20, 200])) + minimum }
    })
    const inOrder = (holds: ReadonlyArray<BudgetHold> | undefined) =>
      holds && [...holds].sort((one, other) => (one.callId < other.callId ? -1 : 1))
    const holds = await holdBudgets(this.#sql, session, asks)
    assert.deepStrictEqual(
      inOrder(holds),
      inOrder(this.#model.holdBudgets(session.nodeId, session.session, asks))
    )
  }

  async #releaseBudgets(): Promise<void> {
    const callIds = [this.#someCall().callId]
    await releaseBudgets(this.#sql, callIds)
    this.#model.budgets.release(callIds)
  }

  async #giveBack(): Promise<void> {
    const session = this.#session
    const escrows = this.#escrows()
    const recalled = this.#customers.filter(() => this.#random.chance(0.5)).map(({ accountId }) => accountId)
    await giveBack(this.#sql, session, escrows, recalled)
    this.#model.giveBack(session.nodeId, session.session, escrows, recalled)
  }

  async #return(): Promise<void> {
    const session = this.#session
    const accountIds = [this.#random.pick(this.#customers).accountId]
    await returnWallets(this.#sql, session, accountIds)
    this.#model.returnWallets(session.nodeId, session.session, accountIds)
  }

  async #permits(): Promise<void> {
    const asks = ["one", "other"].map((name) => ({
      keyId: name as KeyId,
      calls: 1 + this.#random.below(4),
      perMinute: 6
    }))
    const permits = await takePermits(this.#sql, asks)
    assert.deepStrictEqual([...permits].sort(byKey), [...this.#model.takePermits(asks)].sort(byKey))
  }

  async #credit(): Promise<void> {
    const { accountId } = this.#random.pick(this.#customers)
    const amount = BigInt(this.#random.pick([-100, 300, 20_000]))
    await this.#sql`update wallets set booked_micro_vnd = booked_micro_vnd + ${amount} where account_id = ${accountId}`
    this.#model.credit(accountId, amount)
  }

  async #serveAnew(): Promise<void> {
    await this.#sql`update test_time.clock set served = at`
    this.#model.nodes.served()
  }
}

const byKey = (one: Permit, other: Permit) => (one.keyId < other.keyId ? -1 : 1)
