/** The gross margin of a period: by day, model, route, provider or customer. */
import {
  type Counts,
  type Margin,
  MarginSum,
  type NewPrice,
  revenueAt,
  unitsWithin
} from "../domain/margin.ts"
import type { Part, PriceBook, UnitCosts } from "../domain/purchase-price.ts"
import type { Sql } from "../storage/Database.ts"
import {
  type Days,
  type PartSum,
  rankAccounts,
  type RankedAccounts,
  readParts,
  readPriceBook,
  sumParts
} from "../storage/calls/MarginStore.ts"
import { dayMs } from "../domain/vietnam-days.ts"

export type MarginGroup = "day" | "model" | "route" | "provider" | "account"

export interface MarginQuery extends Days {
  readonly by: MarginGroup
  readonly model?: string | undefined
  readonly provider?: string | undefined
  readonly route?: string | undefined
  readonly accountId?: string | undefined
  /** Of accounts, those with the most revenue or with the least margin; all else by its revenue, days by time. */
  readonly order: "revenue" | "margin"
  readonly limit: number
  /** Percent of the revenue with two decimals at most; what has less is marked. */
  readonly floor: string
  /** Of which provider each route is; one that is none any more is of the provider that its id begins with. */
  readonly providers: ReadonlyMap<string, string>
}

/** By model. */
export type NewPrices = ReadonlyMap<string, NewPrice>

export interface MarginReport {
  readonly total: Margin
  readonly rows: ReadonlyArray<Margin & { readonly group: string }>
  /** How many there are, also of those that are not among the rows. */
  readonly groups: number
  readonly missing: ReadonlyArray<MissingPrice>
}

/** What to enter so that all is told. */
export interface MissingPrice {
  readonly route: string
  readonly model: string
  /** Empty for the model's own; `tool:web_search`, `model:gpt-5.5`, or `?` for calls of which no more is known. */
  readonly part: string
  /** Whose rate is missing, where the price is known. */
  readonly currency: string | undefined
  readonly uses: bigint
}

const missingMax = 50

/** `ranked` says which accounts are told of and how many there are, where that is known already. */
export const reportMargin = async (
  sql: Sql,
  query: MarginQuery,
  ranked?: RankedAccounts
): Promise<MarginReport> => {
  const book = await readBook(sql, query)
  const { firstDays, parts, prices, units } = book
  const byId = new Map(parts.map((part) => [part.id, part]))
  const sum = (by: "account" | "nothing", accountIds?: ReadonlyArray<string>, days = firstDays) =>
    sumParts(sql, { from: query.from, to: query.to, partIds: [...byId.keys()], accountIds }, days, by)
  const totals = new Totals(query, byId, units)
  const own = query.accountId === undefined ? undefined : [query.accountId]
  for (const each of await sum("nothing", own, query.by === "day" ? daysOf(query) : firstDays))
    totals.add(each)
  const total = totals.total.tell(query.floor)
  const missing = totals.missing(prices)
  if (query.by !== "account") return { total, ...totals.rows(), missing }
  const { count, ids } =
    own === undefined ? (ranked ?? (await rankIn(sql, query, book))) : { ids: own, count: undefined }
  const accounts = new Totals(query, byId, units)
  for (const each of await sum("account", ids)) accounts.add(each)
  const rows = accounts.rowsOf(ids).toSorted(orders[query.order])
  // The one that is asked for need not have had a call.
  return { total, rows, groups: count ?? rows.length, missing }
}

/** Of each model the margin of these days, and the one that they would have had at the new prices. */
export const compareMargins = async (sql: Sql, { from, to }: Days, prices: NewPrices) => {
  const query = {
    from,
    to,
    by: "model",
    order: "revenue",
    limit: Infinity,
    floor: "0",
    providers: new Map()
  } as const
  const { firstDays, parts, units } = await readBook(sql, query)
  const byId = new Map(parts.map((part) => [part.id, part]))
  const was = new Totals(query, byId, units)
  const next = new Totals(query, byId, units, prices)
  for (const each of await sumParts(sql, { from, to, partIds: [...byId.keys()] }, firstDays, "nothing")) {
    was.add(each)
    next.add(each)
  }
  const byModel = (totals: Totals): ReadonlyMap<string, Margin> =>
    new Map(totals.rows().rows.map((row) => [row.group, row]))
  return { was: byModel(was), next: byModel(next) }
}

/** Which accounts a report by account tells of; takes all sums of the period to tell. */
export const rankMargins = async (sql: Sql, query: MarginQuery): Promise<RankedAccounts> =>
  rankIn(sql, query, await readBook(sql, query))

type Row = MarginReport["rows"][number]

const byName = (one: Row, other: Row): number => (one.group < other.group ? -1 : 1)
const byRevenue = (one: Row, other: Row): number => Number(other.revenue - one.revenue) || byName(one, other)
const orders = {
  revenue: byRevenue,
  margin: (one: Row, other: Row): number => Number(one.margin - other.margin) || byRevenue(one, other)
}

interface Book {
  readonly prices: PriceBook
  readonly parts: ReadonlyArray<Part>
  /** All parts there are are asked for. */
  readonly isWhole: boolean
  readonly firstDays: ReadonlyArray<string>
  readonly units: UnitsOf
}

const readBook = async (sql: Sql, query: MarginQuery): Promise<Book> => {
  const [prices, all] = await Promise.all([readPriceBook(sql, query), readParts(sql)])
  const parts = all.filter((part) => isAsked(part, query))
  const isWhole = parts.length === all.length
  return { prices, parts, isWhole, firstDays: erasOf(prices, query), units: rememberUnits(prices) }
}

const rankIn = (sql: Sql, query: MarginQuery, { firstDays, isWhole, parts, units }: Book) => {
  const eras = parts.flatMap((part) =>
    firstDays.map((firstDay) => ({ partId: part.id, firstDay, units: units(part, firstDay) }))
  )
  const { from, limit, order, to } = query
  return rankAccounts(sql, { from, to }, firstDays, eras, { limit, order, isWhole })
}

const isAsked = (part: Part, { model, provider, providers, route }: MarginQuery): boolean =>
  (model === undefined || part.model === model) &&
  (route === undefined || part.route === route) &&
  (provider === undefined || providerOf(part, providers) === provider)

const providerOf = ({ route }: Part, providers: MarginQuery["providers"]): string =>
  providers.get(route) ?? route.split("#")[0]!

/** The period's first day, and those within on which a price or a rate begins to hold. */
const erasOf = (book: PriceBook, { from, to }: Days): ReadonlyArray<string> => [
  from,
  ...book.days.filter((day) => day > from && day <= to)
]

const daysOf = ({ from, to }: Days): ReadonlyArray<string> => {
  const firstMs = Date.parse(from)
  return Array.from({ length: Math.round((Date.parse(to) - firstMs) / dayMs) + 1 }, (_, index) =>
    new Date(firstMs + index * dayMs).toISOString().slice(0, 10)
  )
}

type UnitsOf = (part: Part, day: string) => UnitCosts | undefined

const rememberUnits = (book: PriceBook): UnitsOf => {
  const known = new Map<string, UnitCosts | undefined>()
  return (part, day) => {
    const place = `${part.id} ${day}`
    if (!known.has(place)) known.set(place, unitsWithin(book, part, day))
    return known.get(place)
  }
}

/** The sums of one report by what they are grouped by. */
class Totals {
  readonly total = new MarginSum()
  readonly #groups = new Map<string, MarginSum>()
  readonly #unpriced: Array<PartSum> = []
  readonly #query: MarginQuery
  readonly #parts: ReadonlyMap<string, Part>
  readonly #unitsOf: UnitsOf
  readonly #soldAt: NewPrices | undefined

  /** Models of which `soldAt` tells are told of as if they had been sold at its prices. */
  constructor(query: MarginQuery, parts: ReadonlyMap<string, Part>, unitsOf: UnitsOf, soldAt?: NewPrices) {
    this.#query = query
    this.#parts = parts
    this.#unitsOf = unitsOf
    this.#soldAt = soldAt
  }

  add(sum: PartSum): void {
    const part = this.#parts.get(sum.partId)!
    const units = this.#unitsOf(part, sum.day)
    if (units === undefined) this.#unpriced.push(sum)
    const counts = this.#soldFor(part, sum)
    this.total.add(counts, units)
    const group = this.#groupOf(part, sum)
    const found = this.#groups.get(group) ?? new MarginSum()
    this.#groups.set(group, found)
    found.add(counts, units)
  }

  #soldFor(part: Part, { counts }: PartSum): Counts {
    const price = this.#soldAt?.get(part.model)
    // What calls were sold for stands with the part that is their own.
    return price === undefined || part.part !== ""
      ? counts
      : { ...counts, revenue: revenueAt(counts, part, price) }
  }

  rows() {
    const rows = this.rowsOf([...this.#groups.keys()])
    const isByDay = this.#query.by === "day"
    const sorted = rows.toSorted((one, other) => (isByDay ? byName(one, other) : byRevenue(one, other)))
    return { rows: isByDay ? sorted : sorted.slice(0, this.#query.limit), groups: rows.length }
  }

  rowsOf(groups: ReadonlyArray<string>) {
    return groups.flatMap((group) => {
      const sum = this.#groups.get(group)
      return sum === undefined ? [] : [{ ...sum.tell(this.#query.floor), group }]
    })
  }

  /** The most used first. */
  missing(book: PriceBook): ReadonlyArray<MissingPrice> {
    const found = new Map<string, MissingPrice>()
    for (const { counts, day, partId } of this.#unpriced) {
      const part = this.#parts.get(partId)!
      const lack = lackOf(book, part, day)
      if (lack === undefined) continue
      const { route, model } = part
      const place = `${route}\n${model}\n${lack.part}\n${lack.currency}`
      const { uses = 0n } = found.get(place) ?? {}
      found.set(place, {
        route,
        model,
        part: lack.part,
        currency: lack.currency,
        uses: uses + usesOf(counts)
      })
    }
    return [...found.values()].toSorted((one, other) => Number(other.uses - one.uses)).slice(0, missingMax)
  }

  #groupOf(part: Part, { day, group }: PartSum): string {
    switch (this.#query.by) {
      case "day":
        return day
      case "model":
        return part.model
      case "route":
        return part.route
      case "provider":
        return providerOf(part, this.#query.providers)
      case "account":
        return group
    }
  }
}

/** `undefined`: this part has a price, another of its calls has none. */
const lackOf = (book: PriceBook, part: Part, day: string) => {
  if (part.mix === "?") return { part: "?", currency: undefined }
  const priced = book.unitsOf(part, day)
  if (priced._tag === "Priced") return undefined
  return { part: part.part, currency: priced._tag === "NoRate" ? priced.currency : undefined }
}

const usesOf = ({ calls, uses }: Counts): bigint => (calls > uses ? calls : uses)
