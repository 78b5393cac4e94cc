/** The ledger and its journal within the test's own process, as one node on a database. */
import { Effect, Layer, Logger, ManagedRuntime, Option } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createAccount } from "../../src/accounts/accounts.ts"
import { createKey, type KeySettings, revokeKey, rotateKey, updateKey } from "../../src/accounts/keys.ts"
import { setMemberBudget } from "../../src/accounts/member-budgets.ts"
import { SealKeys } from "../../src/accounts/SealKeys.ts"
import { creditWallet } from "../../src/accounts/wallet-credit.ts"
import type { CallRecord } from "../../src/domain/call.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import type { Budget } from "../../src/domain/key-settings.ts"
import type { MicroVnd } from "../../src/domain/money.ts"
import { audit } from "../../src/ledger/audit.ts"
import type { Admission, KeyIdentity } from "../../src/ledger/bridge/protocol.ts"
import * as Journal from "../../src/ledger/journal/Journal.ts"
import type { Outcome } from "../../src/ledger/journal/queued-calls.ts"
import { sqlJournal } from "../../src/ledger/journal/sql-journal.ts"
import { Ledger } from "../../src/ledger/node/Ledger.ts"
import type { HoldAsk, LedgerShape } from "../../src/ledger/node/ledger-shape.ts"
import * as Lease from "../../src/ledger/node/Lease.ts"
import { sqlLease } from "../../src/ledger/node/LeaseStore.ts"
import { NodeLife } from "../../src/ledger/NodeLife.ts"
import { FileTokens } from "../../src/ledger/node/NodeTokens.ts"
import { NodeEvents } from "../../src/ledger/node/NodeEvents.ts"
import { Database } from "../../src/storage/Database.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { writeOverride } from "../../src/storage/SettingsStore.ts"
import { withSql } from "../storage/with-sql.ts"
import type { Customer } from "./call-record.ts"
import { modelNamed } from "../catalogue.ts"
import { until } from "../until.ts"

const sealKey = randomBytes(32)

/** What operators do, on the database directly. */
export const operate = <A, E>(
  url: string,
  effect: Effect.Effect<A, E, Database | DatabaseUrl | SealKeys>
): Promise<A> => {
  const services = Layer.mergeAll(Database.layer, SealKeys.layerOf([sealKey])).pipe(
    Layer.provideMerge(DatabaseUrl.layerOf(url))
  )
  return Effect.runPromise(Effect.provide(effect, services))
}

export const newCustomer = (url: string, credit: MicroVnd, rateLimitPerMinute = 0): Promise<Customer> =>
  operate(
    url,
    Effect.gen(function* () {
      const email = `${crypto.randomUUID()}@example.com`
      const { accountId } = yield* createAccount({ email, credit, actor: "test" })
      const { keyId } = yield* createKey({ accountId, name: "test", actor: "test", rateLimitPerMinute })
      return { accountId, keyId, secret: 0 }
    })
  )

/** So many keys of one account, made by whoever holds it. */
export const newMember = async (
  url: string,
  keys: number,
  credit: MicroVnd = 1_000_000n
): Promise<ReadonlyArray<Customer>> => {
  const email = `${crypto.randomUUID()}@example.com`
  const { accountId } = await operate(url, createAccount({ email, credit, actor: "test" }))
  return await Promise.all(Array.from({ length: keys }, () => newKeyOf(url, accountId)))
}

/** Another key of the same member. */
export const newKeyOf = async (url: string, accountId: AccountId): Promise<Customer> => {
  const made = createKey({ accountId, madeBy: accountId, name: "test", actor: "test" })
  return { accountId, keyId: (await operate(url, made)).keyId, secret: 0 }
}

/** On whoever holds the account. */
export const setOnMember = (url: string, accountId: AccountId, budget: Budget | null) =>
  operate(url, setMemberBudget({ accountId, by: accountId, actor: "test" }, accountId, budget))
export const rotate = (url: string, keyId: KeyId) =>
  operate(url, rotateKey(keyId, { overlapSeconds: 0, actor: "test" }))

export const credit = (url: string, accountId: AccountId, amount: MicroVnd) =>
  operate(
    url,
    creditWallet({
      accountId,
      amount,
      reason: "test",
      actor: "test",
      creditId: crypto.randomUUID(),
      force: true
    })
  )

export const revoke = (url: string, keyId: KeyId) => operate(url, revokeKey(keyId, "test"))
export const limitRate = (url: string, keyId: KeyId, perMinute: number) =>
  operate(url, updateKey(keyId, { rateLimitPerMinute: perMinute }, "test"))
export const setOnKey = (url: string, keyId: KeyId, settings: Partial<KeySettings>) =>
  operate(url, updateKey(keyId, settings, "test"))
/** Changes a model's price; answers the event that tells of it. */
export const setPrice = (url: string, model: string, perMtokVnd: number): Promise<bigint> =>
  withSql(url, (sql) =>
    writeOverride(sql, modelNamed(model), { price_vnd: perMtokVnd, disabled: false }, "test")
  )
export const auditOf = (url: string) => operate(url, audit())

export const balanceOf = (url: string, accountId: AccountId): Promise<MicroVnd> =>
  withSql(url, async (sql) => {
    const [row] = await sql<[{ balance: bigint }]>`
      select balance_micro_vnd as balance from wallet_balances where account_id = ${accountId}`
    return row.balance
  })

export class TestLedger {
  readonly ledger: LedgerShape
  readonly journal: Journal.Journal["Service"]
  readonly dataDir: string
  /** What it has written to the log. */
  readonly said: ReadonlyArray<string>
  /** Also leaves the data folder behind, for a ledger that comes after. */
  readonly close: () => Promise<void>
  /** Not of one that came up alone. */
  events: NodeEvents["Service"] | undefined

  constructor(
    ledger: LedgerShape,
    journal: Journal.Journal["Service"],
    dataDir: string,
    said: ReadonlyArray<string>,
    close: () => Promise<void>
  ) {
    this.ledger = ledger
    this.journal = journal
    this.dataDir = dataDir
    this.said = said
    this.close = close
  }

  /** Answers µVND granted, or why not. */
  async admit(
    customer: Customer,
    callId: CallId,
    minimum: MicroVnd,
    wanted = minimum
  ): Promise<MicroVnd | Refusal> {
    return grantOf(await this.answerOf({ ...customer, callId, minimum, wanted }))
  }

  answerOf(hold: HoldAsk & KeyIdentity): Promise<Admission> {
    return Effect.runPromise(this.ledger.admitUnsafe(hold))
  }

  async extend(
    accountId: AccountId,
    callId: CallId,
    minimum: MicroVnd,
    wanted = minimum
  ): Promise<MicroVnd | Refusal> {
    const asked = this.ledger.extendUnsafe({ accountId, callId, minimum, wanted })
    return grantOf(await Effect.runPromise(asked))
  }

  settle(record: CallRecord): Promise<Outcome> {
    return new Promise((resolve) => this.ledger.settle(record, resolve))
  }

  /** Waits until calls are admitted (or no longer are). */
  async untilAvailable(available = true): Promise<void> {
    const isAvailable = () => this.journal.state.available && !this.ledger.deadline.hasPassed
    await until(() => isAvailable() === available, 60)
  }

  async stop(): Promise<void> {
    await this.close()
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}

export type Refusal = Exclude<Admission["_tag"], "Admitted">

const grantOf = (admission: Admission): MicroVnd | Refusal =>
  admission._tag === "Admitted" ? admission.granted : admission._tag

export const startLedger = async (
  databaseUrl: string,
  options: {
    readonly dataDir?: string
    /** For the journal and the lease, such as the address of a proxy. */
    readonly nodeUrl?: string
  } = {}
): Promise<TestLedger> => {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "tollgate-ledger-"))
  const nodeUrl = options.nodeUrl ?? databaseUrl
  const said: Array<string> = []
  const logger = Logger.layer([Logger.make(({ message }) => void said.push(String(message)))])
  const node = Lease.layer({ connector: sqlLease(nodeUrl), tokens: new FileTokens(dataDir) }).pipe(
    Layer.provideMerge(NodeEvents.layer),
    Layer.provideMerge(Ledger.layer),
    Layer.provideMerge(Journal.layer({ connector: sqlJournal(nodeUrl), dataDir })),
    Layer.provideMerge(NodeLife.layer),
    Layer.provide(Database.layer),
    Layer.provide(DatabaseUrl.layerOf(databaseUrl))
  )
  const runtime = ManagedRuntime.make(node.pipe(Layer.provide(logger)))
  const [ledger, journal] = await runtime.runPromise(Effect.all([Ledger, Journal.Journal]))
  const started = new TestLedger(ledger, journal, dataDir, said, () => runtime.dispose())
  started.events = Option.getOrUndefined(await runtime.runPromise(Effect.serviceOption(NodeEvents)))
  await started.untilAvailable()
  return started
}
