/** `tollgate price …` */
import { Effect, Option } from "effect"
import { Argument, type CliError, Command, Flag } from "effect/cli"
import { fromVnd } from "../domain/money.ts"
import { readTypedPercent } from "../domain/typed-decimal.ts"
import { showVnd } from "../domain/typed-money.ts"
import { vietnamText } from "../domain/vietnam-days.ts"
import { actor, from, json, namesIn, readPrice } from "./flags.ts"
import { answer, table } from "./output.ts"
import type { SetPrices, ShownPrice } from "./price-actions.ts"

const actions = Effect.promise(() => import("./price-actions.ts"))

const catalogue = "catalogue"

const list = Command.make(
  "list",
  {
    models: Argument.String("model").pipe(
      Argument.withDescription("An id, or with * at the end all that begin so; without one, all models"),
      Argument.variadic()
    ),
    json
  },
  Effect.fnUntraced(function* (input) {
    const { listPrices } = yield* actions
    const prices = yield* listPrices(input.models)
    yield* answer(input.json, prices.map(render), () =>
      table(["MODEL", "VND", "PER", "CATALOGUE", "NEXT"], prices.map(cells))
    )
  })
).pipe(Command.withDescription("List what models are sold at, now and later"))

const set = Command.make(
  "set",
  {
    model: Argument.String("model").pipe(Argument.withDescription("Its id")),
    price: Argument.String("price").pipe(
      Argument.withMetavar("VND"),
      Argument.withDescription(
        `Whole dong a million tokens or a request; "${catalogue}" for the catalogue's`
      ),
      Argument.mapEffect((text): Effect.Effect<number | null, CliError.CliError> =>
        text === catalogue ? Effect.succeed(null) : readPrice("price", text)
      )
    ),
    from,
    json
  },
  Effect.fnUntraced(function* (input) {
    const { setPrice } = yield* actions
    const { model, price } = input
    yield* print(input.json, yield* setPrice({ model, price, fromMs: fromMsOf(input) }, actor))
  })
).pipe(Command.withDescription("Set the price of a model, at once or from a day on"))

/** `sign`: what the percentage is read with. */
const byPercent = (command: string, sign: "" | "-", description: string) =>
  Command.make(
    command,
    {
      percent: Argument.String("percent").pipe(
        Argument.withDescription("Such as 10 or 5,5; prices are rounded to the dong"),
        Argument.filterMap(
          (text) => Option.map(positive(text), (percent) => `${sign}${percent}`),
          () => "a percentage above 0 and below 1000 with two decimals at most, such as 10 or 5,5"
        )
      ),
      models: Flag.String("models").pipe(
        Flag.withMetavar("IDS"),
        Flag.withDescription(
          "With commas between them, with * at the end for all that begin so; without it, all"
        ),
        Flag.map(namesIn),
        Flag.withDefault([])
      ),
      from,
      preview: Flag.Boolean("preview").pipe(
        Flag.withDescription("Only tell what the prices would be"),
        Flag.withDefault(false)
      ),
      json
    },
    Effect.fnUntraced(function* (input) {
      const { changePrices } = yield* actions
      const { models, percent, preview } = input
      const asked = { models, percent, fromMs: fromMsOf(input), isPreview: preview }
      yield* print(input.json, yield* changePrices(asked, actor), preview)
    })
  ).pipe(Command.withDescription(description))

const raise = byPercent("raise", "", "Raise the prices of models by a percentage, at once or from a day on")
const lower = byPercent("lower", "-", "Lower the prices of models by a percentage, at once or from a day on")

const history = Command.make(
  "history",
  {
    model: Argument.String("model").pipe(Argument.withDescription("Its id"), Argument.optional),
    json
  },
  Effect.fnUntraced(function* (input) {
    const { listChanges } = yield* actions
    const changes = yield* listChanges(Option.getOrUndefined(input.model))
    const rendered = changes.map((change) => ({
      change_id: change.batch,
      model: change.model,
      former_vnd: change.former,
      price_vnd: change.price,
      unit: change.unit,
      from: change.from.toISOString(),
      made_by: change.madeBy,
      made_at: change.madeAt.toISOString(),
      state: change.state
    }))
    yield* answer(input.json, rendered, () =>
      table(
        ["CHANGE", "MODEL", "VND", "PER", "FROM", "BY", "STATE"],
        changes.map(({ batch, former, from, madeBy, model, price, state, unit }) => [
          batch,
          model,
          `${shown(former)} → ${shown(price)}`,
          unit === null ? "" : units[unit],
          vietnamText(from.getTime()),
          madeBy,
          state
        ])
      )
    )
  })
).pipe(Command.withDescription("List price changes, the latest first: waiting, held or cancelled"))

const cancel = Command.make(
  "cancel",
  { id: Argument.String("change").pipe(Argument.withDescription("As `price history` names it")), json },
  Effect.fnUntraced(function* (input) {
    const { cancelPrices } = yield* actions
    yield* cancelPrices(input.id, actor)
    const value = { change_id: input.id, state: "cancelled" }
    yield* answer(input.json, value, () => `Cancelled price change ${input.id}`)
  })
).pipe(Command.withDescription("Cancel what was set together, before it holds"))

export const price = Command.make("price").pipe(
  Command.withDescription("What models are sold at"),
  Command.withSubcommands([list, set, raise, lower, history, cancel])
)

const fromMsOf = (input: { readonly from: Option.Option<Date> }): number | undefined =>
  Option.getOrUndefined(input.from)?.getTime()

const positive = (text: string): Option.Option<string> => {
  const percent = readTypedPercent(text)
  return percent !== undefined && Number(percent) > 0 ? Option.some(percent) : Option.none()
}

const shown = (price: number | null): string =>
  price === null ? catalogue : showVnd(fromVnd(BigInt(price)), "en")

const units = { mtok: "1M tokens", request: "request" } as const

const render = ({ catalogue, isSold, later, model, price, unit }: ShownPrice) => ({
  model,
  price_vnd: price,
  unit,
  catalogue_vnd: catalogue,
  is_sold: isSold,
  later: later.map(({ fromMs, price }) => ({ from: new Date(fromMs).toISOString(), price_vnd: price }))
})

const cells = ({ catalogue, isSold, later, model, price, unit }: ShownPrice) => [
  model,
  isSold ? shown(price) : "not sold",
  units[unit],
  shown(catalogue),
  later.map(({ fromMs, price }) => `${shown(price)} from ${vietnamText(fromMs)}`).join(", ")
]

const print = (json: boolean, { changes, fromMs }: SetPrices, isPreview = false) => {
  const value = {
    from: fromMs === undefined ? null : new Date(fromMs).toISOString(),
    preview: isPreview,
    changes: changes.map(({ former, model, price }) => ({ model, former_vnd: former, price_vnd: price }))
  }
  const when = fromMs === undefined ? "now" : `from ${vietnamText(fromMs)} in Viet Nam`
  return answer(json, value, () =>
    [
      table(
        ["MODEL", "VND"],
        changes.map(({ former, model, price }) => [model, `${shown(former)} → ${shown(price)}`])
      ),
      isPreview ? "Nothing is changed yet" : `In force ${when}`
    ].join("\n")
  )
}
