/** Settings that operators change while the service runs. */
import { percentPattern } from "../domain/decimal.ts"
import type { Maintenance, Notice } from "../domain/maintenance.ts"
import {
  type ModelOverride,
  type ModelOverrides,
  readModelOverrides,
  type SetOverride
} from "../domain/model-overrides.ts"
import type { Model } from "../domain/catalogue.ts"
import { unitOf } from "../domain/price.ts"
import { announceEvent } from "./announce-event.ts"
import type { Sql, Transaction } from "./Database.ts"
import { lockPrices, notePrice, readPriceOf, readSoldPrices, type SoldPrices } from "./PriceStore.ts"
import { recordAction } from "./record-action.ts"

const maintenance = "maintenance"
const notice = "maintenance_notice"
const overrides = "model_overrides"
const dashboardUrl = "dashboard_url"
export const marginFloor = "margin_floor_percent"

/** `undefined` when it was never set. */
const readSetting = async (sql: Sql | Transaction, name: string): Promise<unknown> => {
  const [row] = await sql<Array<{ value: unknown }>>`select value from settings where name = ${name}`
  return row?.value
}

const writeSetting = (transaction: Transaction, name: string, value: StoredNotice | boolean | string) =>
  transaction`
    insert into settings (name, value) values (${name}, ${transaction.json(value)})
    on conflict (name) do update set value = excluded.value, updated_at = now()`

/** As only `storeNotice` writes it. */
type StoredNotice = { readonly vi: string; readonly en: string | null; readonly until_ms: number | null }

const storeNotice = (transaction: Transaction, { en, untilMs, vi }: Notice) =>
  writeSetting(transaction, notice, { vi, en: en ?? null, until_ms: untilMs ?? null })

export const readMaintenance = async (sql: Sql): Promise<Maintenance> => {
  const rows = await sql<Array<{ name: string; value: unknown }>>`
    select name, value from settings where name in (${maintenance}, ${notice})`
  const valueOf = (name: string) => rows.find((row) => row.name === name)?.value
  const said = valueOf(notice) as StoredNotice | undefined
  return {
    isOn: valueOf(maintenance) === true,
    notice: said && { vi: said.vi, en: said.en ?? undefined, untilMs: said.until_ms ?? undefined }
  }
}

/**
 * The id of the event that tells of it. Where maintenance begins without a notice, what was announced stays, unless it is
 * `null`; its end ends what was said of it.
 */
export const writeMaintenance = (
  sql: Sql,
  { isOn, notice: said }: { readonly isOn: boolean; readonly notice: Notice | null | undefined },
  actor: string
): Promise<bigint> =>
  sql.begin(async (transaction) => {
    if (!isOn || said === null) await dropNotice(transaction)
    else await (said === undefined ? dropFormerNotice(transaction) : storeNotice(transaction, said))
    await writeSetting(transaction, maintenance, isOn)
    await recordAction(transaction, {
      actor,
      action: "setting.write",
      subject: maintenance,
      detail: { value: isOn, ...(isOn && said && detailOf(said)) }
    })
    return await announceEvent(transaction, "maintenance")
  })

/** Whether maintenance is on stays as it is; `undefined` takes back what was said. The event's id. */
export const writeNotice = (sql: Sql, said: Notice | undefined, actor: string): Promise<bigint> =>
  sql.begin(async (transaction) => {
    await (said === undefined ? dropNotice(transaction) : storeNotice(transaction, said))
    await recordAction(transaction, {
      actor,
      action: "setting.write",
      subject: notice,
      detail: said === undefined ? { message: null } : detailOf(said)
    })
    return await announceEvent(transaction, "maintenance")
  })

const dropNotice = (transaction: Transaction) => transaction`delete from settings where name = ${notice}`

/** What was announced of a time that is over is not said of maintenance that begins now. */
const dropFormerNotice = (transaction: Transaction) => transaction`
  delete from settings
  where name = ${notice} and (value->>'until_ms')::float8 <= extract(epoch from now()) * 1000
    and not exists (select from settings where name = ${maintenance} and value = 'true')`

const detailOf = ({ en, untilMs, vi }: Notice) => ({
  message: vi,
  ...(en !== undefined && { message_en: en }),
  ...(untilMs !== undefined && { until: new Date(untilMs).toISOString() })
})

/** Percent, a decimal as it was typed: what has a margin below it is marked. */
export const readMarginFloor = async (sql: Sql): Promise<string> => {
  const value = await readSetting(sql, marginFloor)
  return typeof value === "string" && percentPattern.test(value) ? value : "0"
}

export const writeMarginFloor = (sql: Sql, percent: string, actor: string): Promise<void> =>
  sql.begin(async (transaction) => {
    await writeSetting(transaction, marginFloor, percent)
    await recordAction(transaction, {
      actor,
      action: "setting.write",
      subject: marginFloor,
      detail: { value: percent }
    })
  })

/** Where customers reach the dashboard, by the word of the node that started last and was told it: for links that commands make. */
export const readDashboardUrl = async (sql: Sql): Promise<string | undefined> => {
  const value = await readSetting(sql, dashboardUrl)
  return typeof value === "string" ? value : undefined
}

/** `isKept`: only where none stands there. */
export const writeDashboardUrl = async (sql: Sql, url: string, isKept = false): Promise<void> => {
  if (isKept && (await readDashboardUrl(sql)) !== undefined) return
  await sql.begin((transaction) => writeSetting(transaction, dashboardUrl, url))
}

export const readOverrides = async (sql: Sql | Transaction): Promise<ModelOverrides> => {
  const [value, prices] = await Promise.all([readSetting(sql, overrides), readSoldPrices(sql)])
  return withPrices(readModelOverrides(value), prices)
}

const withPrices = (
  set: Readonly<Record<string, SetOverride>>,
  prices: ReadonlyArray<SoldPrices>
): ModelOverrides => {
  const priced = prices.map(({ later, model, price, unit }): readonly [string, ModelOverride] => [
    model,
    {
      price_vnd: price,
      disabled: set[model]?.disabled ?? false,
      unit,
      ...(later.length > 0 && { later })
    }
  ])
  return { ...set, ...Object.fromEntries(priced) }
}

/** What is not given stays as it is by then; the audit log keeps what was before. The event's id. */
export const writeOverride = (
  sql: Sql,
  { id: model, price: listed }: Pick<Model, "id" | "price">,
  change: Partial<SetOverride>,
  actor: string
): Promise<bigint> =>
  sql.begin(async (transaction) => {
    // Two operators who change different models at once must not undo each other.
    await transaction`insert into settings (name, value) values (${overrides}, '{}') on conflict (name) do nothing`
    const [row] = await transaction<[{ value: unknown }]>`
      select value from settings where name = ${overrides} for update`
    await lockPrices(transaction)
    const unit = unitOf(listed)
    const before = readModelOverrides(row.value)
    const { [model]: former, ...others } = before
    const formerPrice = await readPriceOf(transaction, model, unit, former?.price_vnd ?? null)
    const { disabled = former?.disabled ?? false, price_vnd: price = formerPrice } = change
    const isNone = price === null && !disabled
    const after = isNone ? others : { ...others, [model]: { price_vnd: price, disabled } }
    await transaction`update settings set value = ${transaction.json(after)}, updated_at = now()
      where name = ${overrides}`
    if (price !== formerPrice)
      await notePrice(transaction, { model, price, former: formerPrice, unit }, actor)
    await recordAction(transaction, {
      actor,
      action: "model.override",
      subject: model,
      detail: {
        price_vnd: price,
        disabled,
        former_price_vnd: formerPrice,
        former_disabled: former?.disabled ?? false
      }
    })
    return await announceEvent(transaction, "models")
  })
