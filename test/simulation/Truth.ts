/**
 * What really is so, seen from outside: what every call holds and costs, what its client was told, and what each wallet
 * could still pay for. Everything the ledger says and writes is held against it.
 */
import type { CallRecord } from "../../src/domain/call.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import { BudgetsTruth } from "./BudgetsTruth.ts"
import type { DatabaseModel } from "./DatabaseModel.ts"
import { LimitsTruth } from "./LimitsTruth.ts"
import type { NodeProcess } from "./NodeProcess.ts"
import type { World } from "./World.ts"

export interface SeenCall {
  readonly callId: CallId
  readonly accountId: AccountId
  readonly keyId: KeyId
  readonly process: NodeProcess
  /** The node that it was admitted by. */
  lifeId: number | undefined
  state: "asked" | "refused" | "open" | "ended" | "complete" | "unpaid" | "free" | "lost"
  held: bigint
  /** µVND that it has asked for, of which its client has not heard. */
  asked: bigint
  cost: bigint
  spooled: boolean
}

interface SeenWallet {
  credits: bigint
  held: bigint
  /** Costs of which clients have heard, and the database has not. */
  owed: bigint
  /** What corrections and spooled charges have taken that nodes had. */
  excused: bigint
  /** Credits that not every node has heard of, by their events. */
  untold: ReadonlyArray<{ readonly eventId: bigint; readonly amount: bigint }>
  /** What could be paid for, from each moment on. */
  history: Array<{ readonly atMs: number; readonly free: bigint }>
  /** Calls may have been admitted at any moment from their asking on. */
  admissions: Array<{ readonly fromMs: number; readonly toMs: number; readonly granted: bigint }>
}

/** What has come free elsewhere may not have been told yet. */
const toldAfterMs = 250
const historyMs = 15_000

export class Truth {
  readonly calls = new Map<CallId, SeenCall>()
  readonly wallets = new Map<AccountId, SeenWallet>()
  databaseFaultyUntilMs = 0
  counts = {
    admitted: 0,
    refused: 0,
    unavailable: 0,
    complete: 0,
    unpaid: 0,
    spooled: 0,
    died: 0
  }
  readonly limits: LimitsTruth
  readonly #budgets: BudgetsTruth
  readonly #world: World
  readonly #model: DatabaseModel

  constructor(world: World, model: DatabaseModel) {
    this.#world = world
    this.#model = model
    this.limits = new LimitsTruth(world, model)
    this.#budgets = new BudgetsTruth(world, model, this.calls)
  }

  opened(accountId: AccountId, credits: bigint): void {
    const free = credits
    this.wallets.set(accountId, {
      credits,
      held: 0n,
      owed: 0n,
      excused: 0n,
      untold: [],
      history: [{ atMs: -1e9, free }],
      admissions: []
    })
  }

  credited(accountId: AccountId, amount: bigint, eventId: bigint): void {
    const seen = this.wallets.get(accountId)!
    seen.credits += amount
    if (amount < 0n) this.#excuse(accountId)
    else seen.untold = [...seen.untold, { eventId, amount }]
  }

  admitted(call: SeenCall, granted: bigint, isExtension: boolean, askedMs: number): void {
    const { process } = call
    const { lifeId } = process
    this.counts.admitted++
    if (lifeId === undefined || !this.#model.isLiving(lifeId)) {
      this.#world.fail(`${process.name} admits ${call.callId} as node ${lifeId}, which is gone`)
    }
    if (!isExtension) {
      call.lifeId = lifeId
      call.state = "open"
      this.limits.admitted(call.keyId)
    }
    call.held += granted
    this.#budgets.verify(call.keyId)
    const seen = this.wallets.get(call.accountId)!
    seen.held += granted
    const toMs = this.#world.nowMs
    const sinceMs = toMs - historyMs
    if (askedMs < toMs) {
      seen.admissions = seen.admissions.filter((each) => each.toMs > sinceMs)
      seen.admissions.push({ fromMs: askedMs, toMs, granted })
    }
    this.#note(call.accountId)
  }

  /** Extended by a node that believes itself alone, while the database is away: it may be mistaken. */
  extendedAlone(call: SeenCall, granted: bigint): void {
    call.held += granted
    this.wallets.get(call.accountId)!.held += granted
  }

  /** A refusal with 402. */
  insufficient(call: SeenCall, minimum: bigint, askedMs: number): void {
    this.counts.refused++
    // What the same claim was for may be answered a moment later.
    this.#world.after(1, () => {
      if (call.process.isAlive) this.#verifyRefusal(call, minimum > 1n ? minimum : 1n, askedMs)
    })
  }

  #verifyRefusal(call: SeenCall, least: bigint, askedMs: number): void {
    const seen = this.wallets.get(call.accountId)!
    // Others of the same moment may have taken what there was.
    if (this.#payable(call.accountId, seen) < least) return
    if (seen.history.some((_, index) => wasShort(seen, index, least, askedMs))) return
    this.#world.fail(
      `${call.process.name} refuses ${call.callId} with 402 for ${least}, which ${call.accountId} has`
    )
  }

  ended(call: SeenCall, cost: bigint): void {
    call.cost = cost
    call.state = "ended"
  }

  /** Its client hears of it: until then, what it holds is held. */
  settled(call: SeenCall, outcome: "committed" | "spooled" | "unpaid"): void {
    const seen = this.wallets.get(call.accountId)!
    seen.held -= call.held
    call.held = 0n
    if (outcome === "unpaid") {
      this.counts.unpaid++
      if (call.state === "complete") this.#world.fail(`${call.callId} is unpaid after its client has had it`)
      call.state = "unpaid"
      if (this.#model.calls.get(call.callId)?.cost) this.#world.fail(`${call.callId} failed and was charged`)
      return
    }
    this.counts[outcome === "spooled" ? "spooled" : "complete"]++
    if (outcome === "spooled") {
      call.spooled = true
      if (!this.#model.calls.has(call.callId)) seen.owed += call.cost
    } else if (!this.#model.calls.has(call.callId)) this.#world.fail(`${call.callId} is not in the log`)
    call.state = call.cost === 0n ? "free" : "complete"
  }

  /** It costs nothing: its client hears so at once, whenever the database does. */
  endedFree(call: SeenCall): void {
    this.wallets.get(call.accountId)!.held -= call.held
    call.held = 0n
    call.state = "free"
  }

  /** The database has these rows now. */
  committed(nodeId: number, records: ReadonlyArray<CallRecord>): void {
    for (const { accountId, callId, cost } of records) {
      const call = this.calls.get(callId)
      if (call === undefined) return this.#world.fail(`${callId} is nobody's`)
      const seen = this.wallets.get(accountId)!
      if (cost === 0n) continue
      if (cost !== call.cost) this.#world.fail(`${callId} cost ${call.cost} and is charged ${cost}`)
      if (call.state === "unpaid") this.#world.fail(`${callId} failed and is charged`)
      if (call.spooled) seen.owed -= cost
      else if (call.state === "ended") {
        call.held -= cost
        seen.held -= cost
      }
      if (call.spooled && call.lifeId !== nodeId) {
        seen.excused += cost
        this.#budgets.excuse(call.keyId, cost)
      }
    }
    for (const { keyId } of records) this.#budgets.verify(keyId)
  }

  /** What a call of the key may still cost by its budgets; where it has none, more than any call wants. */
  budgetLeftOf(keyId: KeyId): bigint {
    return this.#budgets.leftOf(keyId)
  }

  /** Its clients know at once that their calls are over. */
  died(process: NodeProcess): void {
    for (const call of this.calls.values()) if (call.process === process) this.#lose(call)
  }

  /** After each event: what must hold at every moment. */
  verify(): void {
    for (const [accountId, seen] of this.wallets) {
      const wallet = this.#model.wallets.get(accountId)!
      const balance = this.#model.balanceOf(wallet)
      if (balance < -seen.excused) this.#world.fail(`${accountId} is at ${balance} (excused ${seen.excused})`)
      const nobodys = this.#model.freeOf(wallet)
      if (nobodys < -seen.excused) {
        this.#world.fail(
          `nodes have ${-nobodys} more of ${accountId} than there is (excused ${seen.excused})`
        )
      }
      this.#note(accountId)
    }
  }

  #note(accountId: AccountId): void {
    const seen = this.wallets.get(accountId)!
    const free = this.#payable(accountId, seen)
    if (seen.history.at(-1)!.free === free) return
    seen.history.push({ atMs: this.#world.nowMs, free })
    if (seen.history.length < 400) return
    const from = seen.history.findLastIndex(({ atMs }) => atMs < this.#world.nowMs - historyMs)
    seen.history = seen.history.slice(Math.max(0, from))
  }

  freeOf(accountId: AccountId): bigint {
    return this.wallets.get(accountId)!.history.at(-1)!.free
  }

  #payable(accountId: AccountId, seen: SeenWallet): bigint {
    const wallet = this.#model.wallets.get(accountId)!
    let free = this.#model.balanceOf(wallet) - this.#model.flyingOf(wallet) - seen.held - seen.owed
    if (seen.untold.length > 0)
      seen.untold = seen.untold.filter(({ eventId }) => !this.#model.isTold(eventId))
    for (const { amount } of seen.untold) free -= amount
    return free
  }

  #lose(call: SeenCall): void {
    const seen = this.wallets.get(call.accountId)!
    if (call.state !== "open" && call.state !== "ended") return
    seen.held -= call.held
    this.counts.died++
    call.state = "lost"
  }

  #excuse(accountId: AccountId): void {
    const free = this.#model.freeOf(this.#model.wallets.get(accountId)!)
    const seen = this.wallets.get(accountId)!
    if (-free > seen.excused) seen.excused = -free
  }
}

/** At that moment, not counting what had come free just before, or the wallet had less until the call was asked for. */
const wasShort = (
  { admissions, history }: SeenWallet,
  index: number,
  least: bigint,
  askedMs: number
): boolean => {
  const { atMs, free } = history[index]!
  const isOver = index < history.length - 1 && history[index + 1]!.atMs < askedMs - toldAfterMs
  if (isOver) return false
  let untold = 0n
  for (let before = index; before > 0 && history[before]!.atMs > atMs - toldAfterMs; before--) {
    const came = history[before]!.free - history[before - 1]!.free
    if (came > 0n) untold += came
  }
  const untilMs = history[index + 1]?.atMs ?? Infinity
  return free - untold - admittedAtOnce(admissions, Math.max(atMs, askedMs - toldAfterMs), untilMs) < least
}

/** The most that may have been granted by one moment of these to calls whose answers came later. */
const admittedAtOnce = (admissions: SeenWallet["admissions"], sinceMs: number, untilMs: number): bigint => {
  const open = admissions.filter(({ fromMs, toMs }) => fromMs < untilMs && toMs > sinceMs)
  let most = 0n
  for (const { fromMs } of open) {
    const moment = Math.max(fromMs, sinceMs)
    const granted = open.reduce(
      (sum, each) => (each.fromMs <= moment && moment < each.toMs ? sum + each.granted : sum),
      0n
    )
    if (granted > most) most = granted
  }
  return most
}
