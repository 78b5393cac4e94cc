/** Settings that operators change while the service runs. */
import { percentPattern } from "../domain/decimal.ts"
import {
  type ModelOverride,
  type ModelOverrides,
  readModelOverrides,
  type SetOverride
} from "../domain/model-overrides.ts"
import { announceEvent } from "./announce-event.ts"
import type { Sql, Transaction } from "./Database.ts"
import { notePrice, readPriceOf, readSoldPrices, type SoldPrices } from "./PriceStore.ts"
import { recordAction } from "./record-action.ts"

const maintenance = "maintenance"
const overrides = "model_overrides"
const marginFloor = "margin_floor_percent"

/** `undefined` when it was never set. */
const readSetting = async (sql: Sql | Transaction, name: string): Promise<unknown> => {
  const [row] = await sql<Array<{ value: unknown }>>`select value from settings where name = ${name}`
  return row?.value
}

export const readMaintenance = async (sql: Sql): Promise<boolean> =>
  (await readSetting(sql, maintenance)) === true

/** The id of the event that tells of it. */
export const writeMaintenance = (sql: Sql, on: boolean, actor: string): Promise<bigint> =>
  sql.begin(async (transaction) => {
    await transaction`
      insert into settings (name, value) values (${maintenance}, ${transaction.json(on)})
      on conflict (name) do update set value = excluded.value, updated_at = now()`
    await recordAction(transaction, {
      actor,
      action: "setting.write",
      subject: maintenance,
      detail: { value: on }
    })
    return await announceEvent(transaction, "maintenance")
  })

/** Percent, a decimal as it was typed: what has a margin below it is marked. */
export const readMarginFloor = async (sql: Sql): Promise<string> => {
  const value = await readSetting(sql, marginFloor)
  return typeof value === "string" && percentPattern.test(value) ? value : "0"
}

export const writeMarginFloor = (sql: Sql, percent: string, actor: string): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction`
      insert into settings (name, value) values (${marginFloor}, ${transaction.json(percent)})
      on conflict (name) do update set value = excluded.value, updated_at = now()`
    await recordAction(transaction, {
      actor,
      action: "setting.write",
      subject: marginFloor,
      detail: { value: percent }
    })
  })

export const readOverrides = async (sql: Sql | Transaction): Promise<ModelOverrides> => {
  const [value, prices] = await Promise.all([readSetting(sql, overrides), readSoldPrices(sql)])
  return withPrices(readModelOverrides(value), prices)
}

const withPrices = (
  set: Readonly<Record<string, SetOverride>>,
  prices: ReadonlyArray<SoldPrices>
): ModelOverrides => {
  const priced = prices.map(({ later, model, price }): readonly [string, ModelOverride] => [
    model,
    {
      price_vnd: price,
      disabled: set[model]?.disabled ?? false,
      ...(later.length > 0 && { later })
    }
  ])
  return { ...set, ...Object.fromEntries(priced) }
}

/** Sets or, with `undefined`, lifts the override of one model; the audit log keeps what was before. The event's id. */
export const writeOverride = (
  sql: Sql,
  model: string,
  override: SetOverride | undefined,
  actor: string
): Promise<bigint> =>
  sql.begin(async (transaction) => {
    // Two operators who change different models at once must not undo each other.
    await transaction`insert into settings (name, value) values (${overrides}, '{}') on conflict (name) do nothing`
    const [row] = await transaction<[{ value: unknown }]>`
      select value from settings where name = ${overrides} for update`
    const before = readModelOverrides(row.value)
    const { [model]: former, ...others } = before
    const after = override === undefined ? others : { ...others, [model]: override }
    await transaction`update settings set value = ${transaction.json(after)}, updated_at = now()
      where name = ${overrides}`
    const formerPrice = await readPriceOf(transaction, model, former?.price_vnd ?? null)
    const price = override?.price_vnd ?? null
    if (price !== formerPrice) await notePrice(transaction, { model, price, former: formerPrice }, actor)
    await recordAction(transaction, {
      actor,
      action: "model.override",
      subject: model,
      detail: {
        price_vnd: price,
        disabled: override?.disabled ?? false,
        former_price_vnd: formerPrice,
        former_disabled: former?.disabled ?? false
      }
    })
    return await announceEvent(transaction, "models")
  })
