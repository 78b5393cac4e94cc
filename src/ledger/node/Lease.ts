/**
 * The node's right to spend, as a lease: renewed every second, over a connection of its own, on which it also hears what
 * the others tell. A renewal counts from when it was sent, and only once everything told before it has been acted upon. So a
 * node that can not renew, or does not hear, stops admitting some seconds before anybody may take it for gone.
 */
import { Cause, Effect, Layer, Queue } from "effect"
import { monotonicMs } from "../../actors/monotonic.ts"
import { type Beat, leaseMs, renewEveryMs } from "../../storage/NodeStore.ts"
import { SessionFailed } from "../session.ts"
import { ClockDrift } from "./ClockDrift.ts"
import { DatabaseClock } from "./DatabaseClock.ts"
import type { LeaseConnector, LeaseSession } from "./LeaseStore.ts"
import { Journal } from "../journal/Journal.ts"
import { Ledger } from "./Ledger.ts"
import { NodeEvents } from "./NodeEvents.ts"
import { NodeLife } from "../NodeLife.ts"
import type { NodeTokens } from "./NodeTokens.ts"

const retryDelay = "200 millis"
/** What is left of a lease is for clocks that run apart, and for pauses between a look at the clock and what follows. */
const serveMs = leaseMs - 3_000

/** The node's last renewals are there, and what was told of before is not. The latest stays, but nodes of a former version may take all. */
const isPutBack = ({ latestEventId }: Beat, heardId: bigint): boolean =>
  latestEventId > 0n && latestEventId < heardId

const forgotten = "is not known as it was, by a database that was put back to an earlier moment"

export interface LeaseOptions {
  readonly connector: LeaseConnector
  readonly tokens: NodeTokens
}

export const layer = (options: LeaseOptions) => Layer.effectDiscard(keepLease(options))

/** Runs until its scope closes. */
const keepLease = Effect.fnUntraced(function* ({ connector, tokens }: LeaseOptions) {
  const life = yield* NodeLife
  const events = yield* NodeEvents
  const ledger = yield* Ledger
  const journal = yield* Journal
  // One place: a notice while another is being acted upon is not lost, and more of them add nothing.
  const notices = yield* Queue.sliding<void>(1)
  const onNotice = () => void Queue.offerUnsafe(notices, undefined)
  const drift = new ClockDrift()
  let isAwayTold = true

  const register = Effect.fnUntraced(function* (session: LeaseSession) {
    const token = tokens.begin()
    const registration = yield* session.run("register node", (store) =>
      store.register(token, tokens.former(token))
    )
    tokens.keepOnly(token)
    yield* events.begin(registration.eventId)
    life.begin(registration)
    return registration
  })

  /** Answers whether there is nothing more to confirm. */
  const renew = Effect.fnUntraced(function* (session: LeaseSession, clock: DatabaseClock) {
    const node = life.present() ?? (yield* register(session))
    const sent = life.deadline.now()
    const confirmed = events.confirmedId()
    const isClockKnown = clock.isKnown
    const toldAtMs = clock.atLeast(yield* monotonicMs, journal.untoldMs())
    const answer = yield* session.run("renew the lease", (store) => store.beat(node, confirmed, toldAtMs))
    if (answer === undefined || isPutBack(answer, events.heardId())) {
      life.end()
      const isGone = answer === undefined && (yield* session.run("find it", (store) => store.remembers(node)))
      yield* Effect.logWarning(`Node ${node.id} ${isGone ? "was taken for gone" : forgotten}: it begins anew`)
      return false
    }
    clock.note(answer.atMs, yield* monotonicMs)
    const apart = drift.note(answer.atMs, sent.wallMs, life.deadline.noteDate(answer.atMs, sent).wallMs)
    if (apart !== undefined) yield* Effect.logWarning(apart)
    life.noteRenewal(answer)
    if (answer.recalled.length > 0) ledger.recall(answer.recalled)
    if (answer.latestEventId > events.heardId()) {
      yield* events.hear(yield* session.run("read events", (store) => store.eventsAfter(events.heardId())))
    }
    const isHeard = events.heardId() >= answer.latestEventId
    // Those who change something wait for this node as long as it serves: a thread that is busy must not keep the others from it.
    const mayServe = !life.deadline.hasPassed
    if (mayServe && isHeard) life.deadline.set(sent, serveMs)
    yield* events.confirm
    // While it had no right to serve nobody may have waited for it: then all its threads come first.
    if (!mayServe && events.confirmedId() >= answer.latestEventId) life.deadline.set(sent, serveMs)
    if (confirmed > events.announcedId()) {
      yield* session.run("announce progress", (store) => store.announceProgress(node.id))
      events.noteAnnounced(confirmed)
    }
    return isClockKnown && events.confirmedId() === confirmed
  })

  const serve = Effect.gen(function* () {
    const session = yield* connector.open(onNotice)
    const clock = new DatabaseClock()
    isAwayTold = false
    for (;;) {
      if (yield* renew(session, clock)) yield* Effect.timeoutOption(Queue.take(notices), renewEveryMs)
    }
  }).pipe(
    Effect.scoped,
    Effect.catchCause((cause) => {
      if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
      if (isAwayTold) return Effect.void
      isAwayTold = true
      return Effect.logError(`The lease could not be renewed: ${describe(cause)}`)
    })
  )

  yield* Effect.forkScoped(Effect.forever(Effect.andThen(serve, Effect.sleep(retryDelay))))
  life.leaveBy(leave(life, connector))
})

const leave = (life: NodeLife["Service"], connector: LeaseConnector): Effect.Effect<void> =>
  Effect.suspend(() => {
    const node = life.present()
    if (node === undefined) return Effect.void
    // What it had is others' from then on.
    life.deadline.end()
    return Effect.flatMap(
      connector.open(() => {}),
      (session) => session.run("leave", (store) => store.leave(node))
    )
  }).pipe(Effect.scoped, Effect.ignore)

const describe = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  return failure instanceof SessionFailed ? `${failure.operation}: ${String(failure.cause)}` : String(failure)
}
