/** What every route of the dashboard works with. */
import { Effect, Layer, Logger, ManagedRuntime, Predicate } from "effect"
import { type Alerts, startAlerts } from "../alerts/start-alerts.ts"
import type { BankAdapter } from "../accounts/banks/bank-transfer.ts"
import { openBanks } from "../accounts/banks/open-banks.ts"
import { type PayosAccess, PayosRequests } from "../accounts/banks/PayosRequests.ts"
import { cookieSecretsOf, makePeople, type People } from "../accounts/people.ts"
import { SealKeys } from "../accounts/SealKeys.ts"
import { Config } from "../config.ts"
import { type Invoices, leaveInvoices, leaveRetry, startInvoices } from "../invoices/start-invoices.ts"
import type { BankSettings, Settings } from "../config/settings.ts"
import { Catalogue } from "../domain/catalogue.ts"
import { outwardAgent } from "../outgoing/connect-outward.ts"
import { Database, type Listener, type Sql } from "../storage/Database.ts"
import { DatabaseUrl } from "../storage/DatabaseUrl.ts"
import { JobQueue } from "../storage/jobs/JobQueue.ts"
import { membersChannel } from "../storage/people/MemberStore.ts"
import { topUpChannel } from "../storage/payments/TopUpStore.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import { describeFault } from "../telemetry/describe-fault.ts"
import type { ReadLive, TryRoute } from "./live-state.ts"
import { RateLimits } from "./rate-limits.ts"
import { fewWarnings, type Warn, type WarnOfFew } from "./few-warnings.ts"
import { type TellUnanswered, tellUnanswered } from "./tell-unanswered.ts"
import { makeWatchers, type Watchers } from "./watchers.ts"

/** What the settings in force say. */
interface Configured {
  readonly settings: Settings
  readonly catalogue: Catalogue
  /** Where customers pay into; a made-up account where the bank is simulated. */
  readonly bank: BankSettings | undefined
  /** Providers and bank are both simulated: a made-up bank may pay orders. Nothing here is real money. */
  readonly simulatesBank: boolean
  readonly banks: ReadonlyArray<BankAdapter>
  /** Where it is set, it takes the payments of orders, and customers pay as it says. */
  readonly payos: PayosRequests | undefined
}

export interface DashboardContext extends Configured {
  readonly people: People
  readonly alerts: Alerts
  /** `undefined` where nobody issues electronic invoices. */
  readonly invoices: Invoices | undefined
  /** Also where another node issues them. */
  readonly retryInvoice: Invoices["retry"]
  readonly limits: RateLimits
  /** Of orders that are paid, by their ids. */
  readonly payments: Watchers
  /** Of what a person may do for an account, by the id of the account, a space and the person's. */
  readonly standings: Watchers
  readonly readLive: ReadLive
  readonly tryRoute: TryRoute
  /** Runs a query; what it throws is answered as 500 or 503, and logged without values. */
  readonly query: <A>(operation: string, query: (sql: Sql) => Promise<A>) => Promise<A>
  /** Runs an effect with the database and the seal keys. */
  readonly execute: <A, E>(effect: Effect.Effect<A, E, Database | SealKeys>) => Promise<A>
  readonly warn: Warn
  readonly tellUnanswered: TellUnanswered
  /** Of news from a bank that is refused: anybody can send some. */
  readonly warnOfRefusedNews: WarnOfFew
  /** Goes on with settings that were read again. Sessions and mail keep those of the start. */
  readonly apply: (settings: Settings) => void
  readonly close: () => Promise<void>
}

export interface DashboardOptions {
  /** `databaseUrl` must be set. */
  readonly settings: Settings
  readonly readLive: ReadLive
  readonly tryRoute: TryRoute
  /** False only in tests that are not about limits. */
  readonly limited: boolean
  readonly warn: Warn
  /** How often the queue of jobs is asked; tests wait less. */
  readonly jobPollSeconds?: number
  /** Hears of each attempt to deliver an alert. */
  readonly onDelivery?: (channel: "mail" | "webhook", outcome: string) => void
}

const simulatedBank: BankSettings = { bin: "970436", account: "0123456789", accountName: "TOLLGATE DEMO" }

export const openDashboardContext = async (options: DashboardOptions): Promise<DashboardContext> => {
  const { jobPollSeconds, limited, onDelivery = () => {}, readLive, settings, tryRoute, warn } = options
  const databaseUrl = settings.databaseUrl
  if (databaseUrl === undefined) throw new Error("the dashboard needs the database's address")
  const payments = makeWatchers(topUpChannel)
  const standings = makeWatchers(membersChannel)
  const runtime = makeRuntime(settings, databaseUrl, both(payments.listener, standings.listener), warn)
  const query: DashboardContext["query"] = (operation, query) =>
    runtime.runPromise(Effect.flatMap(Database, (database) => database.run(operation, query)))
  const sealKeys = await runtime.runPromise(SealKeys)
  const people = await makePeople({
    databaseUrl,
    publicUrl: settings.publicUrl,
    secrets: cookieSecretsOf(sealKeys.all),
    oauth: settings.oauth,
    proxies: settings.proxies,
    mail: settings.mail && { ...settings.mail, proxies: settings.proxies },
    limited,
    onWarning: (said) => warn(wordsOf(said))
  })
  const queue = await JobQueue.open({
    steadyMs,
    databaseUrl,
    warn,
    ...(jobPollSeconds !== undefined && { pollSeconds: jobPollSeconds })
  })
  const invoices = await startInvoices(queue, settings)
  const alerts = await startAlerts({
    queue,
    settings,
    sealKeys,
    onAttempt: onDelivery,
    onTopUps: (transaction, entryIds) =>
      invoices === undefined
        ? leaveInvoices(queue, transaction, entryIds)
        : invoices.add(transaction, entryIds)
  })
  const context: DashboardContext = {
    ...configured(settings),
    people,
    alerts,
    invoices,
    retryInvoice: invoices?.retry ?? ((id, actor) => leaveRetry(queue, id, actor)),
    limits: new RateLimits(limited),
    payments,
    standings,
    readLive,
    tryRoute,
    query,
    execute: (effect) => runtime.runPromise(effect),
    warn,
    tellUnanswered: tellUnanswered(warn),
    warnOfRefusedNews: fewWarnings(warn, "More webhooks of banks were refused"),
    apply: (next) => goOnWith(context, next),
    close: async () => {
      await queue.close()
      await alerts.close()
      await invoices?.close()
      await context.payos?.close()
      await people.close()
      await runtime.dispose()
    }
  }
  return context
}

const makeRuntime = (settings: Settings, databaseUrl: string, listener: Listener, warn: Warn) =>
  ManagedRuntime.make(
    Layer.mergeAll(
      Layer.effectDiscard(Effect.flatMap(Database, (database) => database.listen(listener))),
      SealKeys.layer.pipe(Layer.provide(Config.layerOf(settings)))
    ).pipe(
      Layer.provideMerge(Database.layer.pipe(Layer.provide(DatabaseUrl.layerOf(databaseUrl)))),
      Layer.provideMerge(Logger.layer([linesBy(warn)]))
    )
  )

const linesBy = (warn: Warn) =>
  Logger.map(Logger.formatStructured, ({ annotations, cause, message }) => {
    const requestId = annotations["request_id"]
    const words = wordsOf([message].flat())
    warn(
      cause === undefined ? words : `${words}: ${cause}`,
      Predicate.isString(requestId) ? requestId : undefined
    )
  })

const goOnWith = (context: DashboardContext, settings: Settings): void => {
  void context.payos?.close()
  context.alerts.apply(settings)
  Object.assign(context, configured(settings))
}

/** Over one connection. */
const both = (one: Listener, other: Listener): Listener => ({
  channels: { ...one.channels, ...other.channels },
  onListening: () => {
    one.onListening?.()
    other.onListening?.()
  }
})

const configured = (settings: Settings): Configured => {
  const { bank, baseUrls, ...messengers } = settings.topUp
  const { payos } = messengers
  const pageUrl = `${settings.publicUrl}/dashboard/top-up`
  const access: PayosAccess | undefined = payos && { ...payos, baseUrl: baseUrls.payos, pageUrl }
  const secrets = Object.values(messengers).flatMap((messenger) => Object.values(messenger ?? {}))
  const isBankReal = bank !== undefined || secrets.some((secret) => secret !== undefined)
  const simulatesBank = settings.development && !isBankReal
  return {
    settings,
    catalogue: new Catalogue(settings.catalogue, settings.aliases),
    simulatesBank,
    bank: bank ?? (simulatesBank ? simulatedBank : undefined),
    banks: openBanks(settings.topUp, access),
    payos: access && new PayosRequests(access, outwardAgent(settings.proxies))
  }
}

/** Of what else is said with a message only the faults: the rest may name a person, or be what somebody wrote into an address. */
const wordsOf = ([message, ...more]: ReadonlyArray<unknown>): string =>
  [
    ...(typeof message === "string" && message !== "" ? [message] : []),
    ...[message, ...more].filter((each) => each instanceof Error).map(describeFault)
  ].join(": ")
