/** What calls add to the sums that pages, statements, margins and audits read; see `usage_hours` and migration 0044. */
import { createHash } from "node:crypto"
import { remember } from "../../collections/remember.ts"
import { type CallRecord, freeEndpoints } from "../../domain/call.ts"
import type { AccountId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import { dayText, startOfDay, startOfHour } from "../../domain/vietnam-days.ts"

/** Of one key and model in one hour. */
export interface HourSum {
  readonly accountId: AccountId
  readonly keyId: string
  readonly model: string
  readonly hourMs: number
  calls: number
  failed: number
  inputTokens: number
  outputTokens: number
  cost: MicroVnd
  lastMs: number
  latencyMs: number
}

/** What prices are of: a call's own, or a tool or another model that it used. */
export interface Part {
  readonly id: bigint
  readonly idText: string
  readonly route: string
  readonly model: string
  readonly factor: string
  /** The other parts of such calls, a line each. */
  readonly mix: string
  /** Empty for the call's own. */
  readonly part: string
}

interface Bought {
  /** Neither read from a cache nor written to one. */
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
  uses: number
}

/** What was used of a part. */
interface Used extends Bought {
  readonly part: Part
  readonly calls: number
  readonly revenue: MicroVnd
}

/** Of one part on one day of Viet Nam, by one account or by all. */
export interface PurchaseSum extends Bought {
  readonly day: string
  readonly accountId: AccountId | ""
  readonly part: Part
  calls: number
  revenue: MicroVnd
}

export interface CallSums {
  readonly spent: ReadonlyMap<AccountId, MicroVnd>
  readonly hours: ReadonlyArray<HourSum>
  readonly purchases: ReadonlyArray<PurchaseSum>
  /** Of all accounts together. */
  readonly totals: ReadonlyArray<PurchaseSum>
  readonly parts: ReadonlyMap<bigint, Part>
}

export const sumCalls = (records: ReadonlyArray<CallRecord>): CallSums => {
  const spent = new Map<AccountId, MicroVnd>()
  const hours = new Map<string, HourSum>()
  const purchases = new Map<string, PurchaseSum>()
  const totals = new Map<string, PurchaseSum>()
  const parts = new Map<bigint, Part>()
  for (const record of records) {
    const { accountId, cost } = record
    if (cost > 0n) spent.set(accountId, (spent.get(accountId) ?? 0n) + cost)
    addHour(hours, record)
    if (!isPurchase(record)) continue
    const day = dayOf(record.atMs)
    for (const used of usedBy(record)) {
      parts.set(used.part.id, used.part)
      addPurchase(purchases, day, accountId, used)
      addPurchase(totals, day, "", used)
    }
  }
  return {
    spent,
    hours: [...hours.values()],
    purchases: [...purchases.values()],
    totals: [...totals.values()],
    parts
  }
}

let lastDay = { startMs: NaN, text: "" }

/** Calls of one commit are nearly all of one day. */
const dayOf = (atMs: number): string => {
  const startMs = startOfDay(atMs)
  if (startMs !== lastDay.startMs) lastDay = { startMs, text: dayText(atMs) }
  return lastDay.text
}

const addHour = (hours: Map<string, HourSum>, record: CallRecord): void => {
  const { accountId, atMs, keyId, model } = record
  const startMs = startOfHour(atMs)
  const name = `${accountId}\0${keyId}\0${model}\0${startMs}`
  let sum = hours.get(name)
  if (sum === undefined) {
    sum = { accountId, keyId, model, hourMs: startMs, ...noHour }
    hours.set(name, sum)
  }
  sum.calls++
  if (record.status >= 400) sum.failed++
  sum.inputTokens += record.inputTokens
  sum.outputTokens += record.outputTokens
  sum.cost += record.cost
  sum.lastMs = Math.max(sum.lastMs, atMs)
  sum.latencyMs += record.latencyMs
}

const noHour = {
  calls: 0,
  failed: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0n,
  lastMs: -Infinity,
  latencyMs: 0
}

/** Calls that used nothing, and those that are free, are bought of nobody. */
const isPurchase = ({ cost, endpoint, inputTokens, outputTokens, status }: CallRecord): boolean =>
  !freeEndpoints.has(endpoint) && (cost > 0n || status < 400 || inputTokens + outputTokens > 0)

/** The parts of a call, its own first. */
const usedBy = (record: CallRecord): ReadonlyArray<Used> => {
  const { others, toolUses } = record.extras
  return others.length === 0 && toolUses.length === 0
    ? [ownUse(record, ownOf(record), "")]
    : usedBeside(record)
}

/** Tokens of other models that stand among its own are taken out of them. */
const usedBeside = (record: CallRecord): ReadonlyArray<Used> => {
  const { factor, others, route, toolUses } = record.extras
  const beside = new Map<string, Bought>()
  const besideOf = (part: string) => {
    const known = beside.get(part) ?? { ...noneBought }
    beside.set(part, known)
    return known
  }
  const own = ownOf(record)
  for (const { tool, uses } of toolUses) besideOf(`tool:${tool}`).uses += uses
  for (const other of others) {
    const used = besideOf(`model:${other.model}`)
    used.input += other.inputTokens - other.cacheReadTokens - other.cacheWriteTokens
    used.cacheRead += other.cacheReadTokens
    used.cacheWrite += other.cacheWriteTokens
    used.output += other.outputTokens
    if (other.isApart) continue
    own.inputTokens -= other.inputTokens
    own.cacheReadTokens -= other.cacheReadTokens
    own.cacheWriteTokens -= other.cacheWriteTokens
    own.outputTokens -= other.outputTokens
  }
  const mix = [...beside.keys()].sort().join("\n")
  const parts = Array.from(beside, ([name, bought]): Used => {
    const part = partOf(route, record.model, factor, mix, name)
    return { part, calls: 0, ...bought, revenue: 0n }
  })
  return [ownUse(record, own, mix), ...parts]
}

const ownOf = ({ extras, inputTokens, outputTokens }: CallRecord) => ({
  inputTokens,
  cacheReadTokens: Math.min(extras.cacheReadTokens, inputTokens),
  cacheWriteTokens: extras.cacheWriteTokens,
  outputTokens
})

const ownUse = (record: CallRecord, own: ReturnType<typeof ownOf>, mix: string): Used => {
  const { cost, extras, model, status, units } = record
  const input = Math.max(own.inputTokens, 0)
  const cacheRead = Math.min(Math.max(own.cacheReadTokens, 0), input)
  const cacheWrite = Math.min(Math.max(own.cacheWriteTokens, 0), input - cacheRead)
  return {
    part: partOf(extras.route, model, extras.factor, mix, ""),
    calls: 1,
    input: input - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    output: Math.max(own.outputTokens, 0),
    uses: status < 400 || cost > 0n ? units : 0,
    revenue: cost
  }
}

const noneBought: Bought = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, uses: 0 }

const addPurchase = (
  sums: Map<string, PurchaseSum>,
  day: string,
  accountId: AccountId | "",
  used: Used
): void => {
  const name = `${accountId} ${day} ${used.part.idText}`
  let sum = sums.get(name)
  if (sum === undefined) {
    sum = { day, accountId, part: used.part, calls: 0, ...noneBought, revenue: 0n }
    sums.set(name, sum)
  }
  sum.calls += used.calls
  sum.input += used.input
  sum.cacheRead += used.cacheRead
  sum.cacheWrite += used.cacheWrite
  sum.output += used.output
  sum.uses += used.uses
  sum.revenue += used.revenue
}

const partsMax = 10_000
const knownParts = new Map<string, Part>()

/** By the same number as `purchase_part` in migration 0044. */
const partOf = (route: string, model: string, factor: string, mix: string, part: string): Part => {
  const text = [route, model, factor, mix, part].join("\x01")
  const known = knownParts.get(text)
  if (known !== undefined) return known
  const id = createHash("md5").update(text).digest().readBigInt64BE()
  const made = { id, idText: String(id), route, model, factor, mix, part }
  remember(knownParts, text, made, partsMax)
  return made
}
