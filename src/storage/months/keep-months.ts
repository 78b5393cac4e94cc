/** Closes months that are over, and takes away the calls of those that are old enough. On one node at a time. */
import { Effect, Schedule, Schema } from "effect"
import { join } from "node:path"
import { retentionPart } from "../../config/settings-parts.ts"
import type { RetentionSettings } from "../../config/settings.ts"
import { advisoryLocks } from "../advisory-locks.ts"
import { archiveMonth } from "./archive-month.ts"
import { closeMonth, findMonthToClose, type Month } from "./close-month.ts"
import { longWorkMs, openSession, type Session, type Sql } from "../Database.ts"
import { dropMonth, findMonthToDrop, listMonthsToDrop } from "./drop-month.ts"
import { isSetOtherwise } from "../NodeSettingsStore.ts"
import { isBusy } from "../is-busy.ts"

const hoursBetweenLooks = 6

/** Runs until it is interrupted. */
export const keepMonths = (retention: Effect.Effect<RetentionSettings>) =>
  Effect.flatMap(retention, lookAfterMonths()).pipe(
    Effect.catchTags({
      DatabaseError: (error) => Effect.logError(error.message),
      ArchiveFailed: (error) => Effect.logError(error.message)
    }),
    Effect.repeat(Schedule.spaced(`${hoursBetweenLooks} hours`)),
    Effect.delay("2 minutes")
  )

/** The first look by other settings than the one before only says what they let go: a slip in them could not be taken back. */
export const lookAfterMonths = () => {
  let former: RetentionSettings | undefined
  return (retention: RetentionSettings) => {
    const isNew = former?.callsDays !== retention.callsDays || former?.archive !== retention.archive
    return Effect.tap(tidyMonths(retention, isNew), () => Effect.sync(() => (former = retention)))
  }
}

/** The month's calls stay where they are. */
export class ArchiveFailed extends Schema.TaggedError<ArchiveFailed>()("ArchiveFailed", {
  month: Schema.String,
  folder: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `Could not write the calls of ${this.month} to ${this.folder}, so they are kept: ${this.reason}`
  }
}

/** `isNew`: nobody has been told yet what these settings let go. */
export const tidyMonths = (retention: RetentionSettings, isNew = false) =>
  Effect.scoped(tidyOnce(retention, isNew))

const tidyOnce = Effect.fnUntraced(function* ({ archive, callsDays }: RetentionSettings, isNew: boolean) {
  const session = yield* openSession
  if (!(yield* session.run("lock the months", lockMonths))) return
  // It ends with the session too, but the server may notice that some time later: whoever comes next would find it taken.
  yield* Effect.addFinalizer(() => Effect.ignore(session.run("unlock the months", unlockMonths)))
  yield* moveClock(session)
  yield* closeMonths(session)
  yield* tellLateCalls(session)
  if (callsDays === undefined) return
  if (isNew) return yield* announceDrops(session, callsDays, archive)
  const retention = retentionPart({ archive, callsDays })
  if (yield* session.run("compare retention", (sql) => isSetOtherwise(sql, { retention })))
    return yield* Effect.logWarning(
      "Other nodes of this database have another retention: no calls go until it is the same on all"
    )
  yield* dropMonths(session, callsDays, archive)
})

/** Whoever has the lock looks after the months. */
export const lockMonths = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<[{ locked: boolean }]>`
    select pg_try_advisory_lock(${advisoryLocks.months}, 0) as locked`
  return row.locked
}

export const unlockMonths = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_unlock(${advisoryLocks.months}, 0)`
}

/** A machine that was off for some days is nothing to tell of. */
const leapDaysMin = 7

/** What is gone can not be brought back: where the clock has leapt, an operator has days to see to it. */
const moveClock = Effect.fnUntraced(function* (session: Session) {
  const [{ asOf, days, now }] = yield* session.run("move the clock of tidying", async (sql) => {
    await sql`select move_tidy_clock()`
    return sql<[{ now: string; asOf: string; days: number }]>`
      select now()::date::text as now, tidy_now()::date::text as "asOf", extract(day from now() - tidy_now())::int4 as days`
  })
  if (days < leapDaysMin) return
  yield* Effect.logWarning(
    `The database's clock has leapt to ${now}: what is old is closed and dropped as of ${asOf}, and eight days later each day. If ${now} is wrong, set the clock right before more goes`
  )
})

const closeMonths = Effect.fnUntraced(function* (session: Session) {
  for (;;) {
    const month = yield* session.run("find a month to close", findMonthToClose)
    if (month === undefined) return
    const closing = yield* session.run("close a month", (sql) => closeMonth(sql, month), longWorkMs)
    if (closing._tag === "Disturbed") return
    if (closing._tag === "Wrong") {
      const { check, detail, subject } = closing.violation
      return yield* Effect.logError(
        `The calls of ${month.name} can not be closed, since the books disagree (${check}, ${subject}: ${detail})`
      )
    }
    yield* Effect.logInfo(`Closed the calls of ${month.name}: ${closing.calls}`)
  }
})

const announceDrops = Effect.fnUntraced(function* (
  session: Session,
  callsDays: number,
  folder: string | undefined
) {
  const months = yield* session.run("list months to drop", (sql) => listMonthsToDrop(sql, callsDays))
  if (months.length === 0) return
  const names = months.map(({ name }) => name).join(", ")
  const calls = months.reduce((sum, month) => sum + month.calls, 0n)
  const place = folder === undefined ? "are written nowhere" : `are written to ${folder} before`
  yield* Effect.logWarning(
    `retention.calls_days is ${callsDays}: in ${hoursBetweenLooks} hours the calls of ${names} go for good, ${calls} in all, and ${place}`
  )
})

const dropMonths = Effect.fnUntraced(function* (
  session: Session,
  callsDays: number,
  folder: string | undefined
) {
  for (;;) {
    const month = yield* session.run("find a month to drop", (sql) => findMonthToDrop(sql, callsDays))
    if (month === undefined) return
    const written = folder === undefined ? undefined : yield* archive(session, month, folder)
    const isDropped = yield* session
      .run("drop a month", (sql) => dropMonth(sql, month, written), longWorkMs)
      .pipe(Effect.retry({ while: isBusy, schedule: Schedule.spaced("3 seconds"), times: 20 }))
    if (!isDropped) return yield* Effect.logInfo(`Calls of ${month.name} came while they were written`)
    const place = written?.fileName === undefined ? "" : `, written to ${join(folder!, written.fileName)}`
    yield* Effect.logInfo(`Dropped the calls of ${month.name}: ${month.calls}${place}`)
  }
})

const archive = (session: Session, { calls, name }: Month, folder: string) =>
  calls === 0n
    ? Effect.succeed({ fileName: undefined, calls: 0 })
    : session
        .run("read a month's calls", (sql) => archiveMonth(sql, name, folder), longWorkMs)
        .pipe(
          // The disk's own failures have such codes, as has a connection that is lost.
          Effect.mapError((error) => new ArchiveFailed({ month: name, folder, reason: error.code }))
        )

const tellLateCalls = Effect.fnUntraced(function* (session: Session) {
  const late = yield* session.run("tell of late calls", async (sql) => {
    const [row] = await sql<[{ calls: number; cost: string }]>`
      with told as (update late_calls set told_at = now() where told_at is null returning cost_micro_vnd)
      select count(*)::int4 as calls, coalesce(sum(cost_micro_vnd), 0)::text as cost from told`
    return row
  })
  if (late.calls === 0) return
  yield* Effect.logWarning(
    `Calls came after their month was dropped and are not charged: ${late.calls} (${late.cost} µVND, see late_calls)`
  )
})
