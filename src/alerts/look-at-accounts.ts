/**
 * Once a minute: what has crossed a threshold, and what else was noted, becomes alerts and their deliveries. Only accounts
 * with calls or changes since the last look are looked at, so that it costs what happens and not how many customers there are.
 */
import type { AccountId } from "../domain/ids.ts"
import {
  addDeliveries,
  findCallers,
  type Pass,
  raiseCrossings,
  raiseDaysLeft,
  raiseExpiring,
  readLook,
  writeLook
} from "../storage/alerts/AlertStore.ts"
import { raiseNoted } from "../storage/alerts/raise-noted.ts"
import type { Transaction } from "../storage/Database.ts"
import type { JobQueue } from "../storage/jobs/JobQueue.ts"
import { deliveryJob, queueOf } from "./queues.ts"

const minuteMs = 60_000
const accountsAtOnce = 1_000
const notesAtOnce = 1_000

/** How often, and how long before the last look calls may have begun that ended after it. */
const passes = (callTimeoutSeconds: number): Readonly<Record<Pass, Turn>> => {
  const longestMs = callTimeoutSeconds * 1_000 + 5 * minuteMs
  return {
    calls: { everyMs: 0, backMs: minuteMs },
    long_calls: { everyMs: 5 * minuteMs, backMs: longestMs },
    days_left: { everyMs: 60 * minuteMs, backMs: longestMs }
  }
}

interface Turn {
  readonly everyMs: number
  readonly backMs: number
}

export interface LookOptions {
  readonly sendsMail: boolean
  /** So long may a call take. */
  readonly callTimeoutSeconds: number
}

/** Safe to be cut off anywhere and to be done twice at once: every alert is raised in the transaction that marks it. */
export const lookAtAccounts = async (
  queue: JobQueue,
  { callTimeoutSeconds, sendsMail }: LookOptions,
  onTopUps: OnTopUps = () => Promise.resolve()
): Promise<void> => {
  const publish = (transaction: Transaction, alertIds: ReadonlyArray<string>) =>
    publishAlerts(queue, transaction, alertIds, sendsMail)
  await takeNotes(queue, publish, onTopUps)
  const turns = passes(callTimeoutSeconds)
  for (const pass of ["calls", "long_calls", "days_left"] as const)
    await look(queue, pass, turns[pass], publish)
}

/** Entries of the ledger that are top-ups and new. */
export type OnTopUps = (transaction: Transaction, entryIds: ReadonlyArray<string>) => Promise<void>

type Publish = (transaction: Transaction, alertIds: ReadonlyArray<string>) => Promise<void>

/** Deliveries of these alerts, and the jobs that see to them. */
const publishAlerts = async (
  queue: JobQueue,
  transaction: Transaction,
  alertIds: ReadonlyArray<string>,
  sendsMail: boolean
): Promise<void> => {
  if (alertIds.length === 0) return
  const deliveries = await addDeliveries(transaction, alertIds, sendsMail)
  for (const channel of ["mail", "webhook"] as const) {
    const own = deliveries.filter((delivery) => delivery.channel === channel)
    await queue.add(
      transaction,
      queueOf[channel].name,
      own.map(({ accountId, id }) => deliveryJob(id, accountId))
    )
  }
}

const takeNotes = async (queue: JobQueue, publish: Publish, onTopUps: OnTopUps): Promise<void> => {
  let taken: number
  do {
    taken = await queue.run((sql) =>
      sql.begin(async (transaction) => {
        const { accountIds, alertIds, notes, topUps } = await raiseNoted(transaction, notesAtOnce)
        const now = new Date()
        await publish(transaction, [
          ...alertIds,
          ...(await raiseCrossings(transaction, accountIds, now)),
          ...(await raiseDaysLeft(transaction, accountIds)),
          ...(await raiseExpiring(transaction, now, accountIds))
        ])
        if (topUps.length > 0) await onTopUps(transaction, topUps)
        return notes
      })
    )
  } while (taken === notesAtOnce)
}

const look = async (
  queue: JobQueue,
  pass: Pass,
  { backMs, everyMs }: Turn,
  publish: Publish
): Promise<void> => {
  const { isFirst, now, until } = await queue.run((sql) => readLook(sql, pass))
  if (!isFirst && now.getTime() - until.getTime() < everyMs) return
  const since = new Date(until.getTime() - backMs)
  const callers = await queue.run((sql) => findCallers(sql, since))
  const raise = (transaction: Transaction, accountIds: ReadonlyArray<AccountId>) =>
    pass === "days_left"
      ? raiseDaysLeft(transaction, accountIds)
      : raiseCrossings(transaction, accountIds, since)
  const raiseAndPublish = (accountIds: ReadonlyArray<AccountId>) =>
    queue.run((sql) =>
      sql.begin(async (transaction) => publish(transaction, await raise(transaction, accountIds)))
    )
  for (let first = 0; first < callers.length; first += accountsAtOnce) {
    await raiseAndPublish(callers.slice(first, first + accountsAtOnce))
  }
  await queue.run((sql) =>
    sql.begin(async (transaction) => {
      if (pass === "calls") await publish(transaction, await raiseExpiring(transaction, until, []))
      await writeLook(transaction, pass, now)
    })
  )
}
