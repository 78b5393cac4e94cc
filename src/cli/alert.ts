/** `tollgate alert …` */
import { Effect, Option } from "effect"
import { type CliError, Command, Flag } from "effect/cli"
import { alertKinds } from "../domain/alert-kinds.ts"
import { formatVnd, type MicroVnd } from "../domain/money.ts"
import { showVnd } from "../domain/typed-money.ts"
import type { DeliveryRow } from "../storage/alerts/DeliveryStore.ts"
import type { AlertReport } from "./alert-actions.ts"
import { account, actor, json, namesIn, readAmount } from "./flags.ts"
import { answer, type Columns, tableOf } from "./output.ts"

const actions = Effect.promise(() => import("./alert-actions.ts"))

const none = "none"
const all = "all"

const settings = {
  below: Flag.String("below").pipe(
    Flag.withMetavar("VND"),
    Flag.withDescription(`Tell when the balance is less; "${none}" for not at all`),
    Flag.mapEffect((text): Effect.Effect<MicroVnd | undefined, CliError.CliError> =>
      text === none ? Effect.undefined : readAmount("below", text)
    ),
    Flag.optional
  ),
  daysLeft: Flag.String("days-left").pipe(
    Flag.withMetavar("DAYS"),
    Flag.withDescription(
      `Tell when the balance lasts for fewer days at the last week's pace; "${none}" for not at all`
    ),
    Flag.filterMap(
      (text) =>
        text === none
          ? Option.some<number | undefined>(undefined)
          : /^\d{1,3}$/.test(text)
            ? Option.some<number | undefined>(Number(text))
            : Option.none(),
      () => `a number of days, or "${none}"`
    ),
    Flag.optional
  ),
  mail: Flag.String("mail").pipe(
    Flag.withMetavar("KINDS"),
    Flag.withDescription(
      `What to tell by mail, with commas between, "${all}" or "${none}": ${alertKinds.join(", ")}`
    ),
    Flag.map((text) => (text === none ? [] : text === all ? alertKinds : namesIn(text))),
    Flag.optional
  ),
  email: Flag.String("email").pipe(
    Flag.withMetavar("ADDRESS"),
    Flag.withDescription(`Where mail goes; "${none}" for the account's own address`),
    Flag.map((text) => (text === none ? "" : text)),
    Flag.optional
  ),
  language: Flag.Literals("language", ["vi", "en"]).pipe(
    Flag.withDescription("The language of mail"),
    Flag.optional
  )
}

const show = Command.make(
  "show",
  { account, json },
  Effect.fnUntraced(function* (input) {
    const { showAlerts } = yield* actions
    yield* answerReport(input.json, yield* showAlerts(input.account))
  })
).pipe(Command.withDescription("Show what an account is told of, and where"))

const set = Command.make(
  "set",
  { account, ...settings, json },
  Effect.fnUntraced(function* (input) {
    const { changeAlerts } = yield* actions
    const changes = {
      ...given("balanceBelow", input.below),
      ...given("daysLeft", input.daysLeft),
      ...given("mailKinds", input.mail),
      ...given("email", input.email),
      ...given("language", input.language)
    }
    yield* answerReport(input.json, yield* changeAlerts(input.account, changes, actor))
  })
).pipe(Command.withDescription("Change what an account is told of; what is left out stays"))

/** What is set to nothing is given, too. */
const given = <Name extends string, A>(name: Name, value: Option.Option<A>): { readonly [K in Name]?: A } =>
  Option.isNone(value) ? {} : ({ [name]: value.value } as { readonly [K in Name]: A })

const deliveries = Command.make(
  "deliveries",
  {
    account,
    limit: Flag.Int("limit").pipe(Flag.withDescription("How many of the last"), Flag.withDefault(50)),
    json
  },
  Effect.fnUntraced(function* (input) {
    const { findDeliveries } = yield* actions
    const listed = (yield* findDeliveries(input.account, input.limit)).map(renderDelivery)
    yield* answer(input.json, listed, () => tableOf(columns, listed))
  })
).pipe(Command.withDescription("List what an account was told last, and how that went"))

export const alert = Command.make("alert").pipe(
  Command.withDescription("What an account is told of, by mail and by webhook"),
  Command.withSubcommands([show, set, deliveries])
)

const answerReport = (isJson: boolean, { settings, webhooks }: AlertReport) => {
  const value = {
    balance_below_vnd: settings.balanceBelow === undefined ? null : formatVnd(settings.balanceBelow),
    days_left: settings.daysLeft ?? null,
    mail: settings.mailKinds,
    email: settings.email || settings.accountEmail,
    language: settings.language,
    webhooks: webhooks.map(({ id, kinds, paused, url }) => ({ id, url, kinds, paused }))
  }
  return answer(isJson, value, () =>
    [
      `Balance below:  ${settings.balanceBelow === undefined ? "not told" : `${showVnd(settings.balanceBelow, "en")} VND`}`,
      `Days left:      ${value.days_left === null ? "not told" : `fewer than ${value.days_left}`}`,
      `Mail:           ${value.mail.length === 0 ? "nothing" : value.mail.join(", ")}`,
      `To:             ${value.email} (${value.language})`,
      ...value.webhooks.map(
        ({ id, paused, url }) => `Webhook:        ${url} (${id}${paused ? ", paused" : ""})`
      )
    ].join("\n")
  )
}

const renderDelivery = (delivery: DeliveryRow) => ({
  id: delivery.id,
  kind: delivery.kind,
  channel: delivery.channel,
  address: delivery.address,
  status: delivery.status,
  attempts: delivery.attempts,
  outcome: delivery.outcome,
  created_at: new Date(delivery.createdAtMs).toISOString()
})

const columns: Columns<ReturnType<typeof renderDelivery>> = {
  AT: (delivery) => delivery.created_at,
  ALERT: (delivery) => delivery.kind,
  TO: (delivery) => delivery.address,
  STATUS: (delivery) => delivery.status,
  ATTEMPTS: (delivery) => String(delivery.attempts),
  OUTCOME: (delivery) => delivery.outcome
}
