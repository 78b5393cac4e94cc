/** What a node's lease does in the database, over a connection of its own: in SQL, or by a plain model in simulations. */
import { Effect, type Scope } from "effect"
import {
  announceProgress,
  type Beat,
  beat,
  eventsAfter,
  leaveNode,
  type Node,
  type NodeEvent,
  type Registration,
  registerNode,
  remembersNode
} from "../../storage/NodeStore.ts"
import { openWatched } from "../open-watched.ts"
import { type RunOn, runOn, type SessionFailed } from "../session.ts"

export interface LeaseStore {
  /** `former`: tokens of lives that are certainly over. */
  register(token: string, former: ReadonlyArray<string>): Promise<Registration>
  /** Renews; `undefined` when the node counts as gone, or is not remembered. `toldAtMs`: see `beat` of the NodeStore. */
  beat(node: Node, confirmedEventId: bigint, toldAtMs: number | undefined): Promise<Beat | undefined>
  /** Of a node that could not renew: `false` where that is since the database was put back to an earlier moment. */
  remembers(node: Node): Promise<boolean>
  eventsAfter(eventId: bigint): Promise<ReadonlyArray<NodeEvent>>
  /** Tells those who wait for it that the node has acted upon something. */
  announceProgress(nodeId: number): Promise<void>
  leave(node: Node): Promise<void>
}

export interface LeaseSession {
  readonly run: RunOn<LeaseStore>
}

export interface LeaseConnector {
  /** `onNotice`: there is something to hear, or the connection has ended. */
  readonly open: (onNotice: () => void) => Effect.Effect<LeaseSession, SessionFailed, Scope.Scope>
}

/** Less than a lease lasts: a connection that swallows what is sent is given up while there is still time for another. */
export const answerWithinMs = 2_000

const channels = ["tollgate_events", "tollgate_recalls"]

export const sqlLease = (databaseUrl: string): LeaseConnector => ({
  open: (onNotice) =>
    Effect.gen(function* () {
      const connection = yield* openWatched(databaseUrl, {
        name: "tollgate lease",
        onNotification: onNotice,
        onLost: onNotice
      })
      const { sql } = connection
      const store: LeaseStore = {
        register: (token, former) => registerNode(sql, token, former),
        beat: (node, confirmedEventId, toldAtMs) => beat(sql, node, confirmedEventId, toldAtMs),
        remembers: (node) => remembersNode(sql, node),
        eventsAfter: (eventId) => eventsAfter(sql, eventId),
        announceProgress: (nodeId) => announceProgress(sql, nodeId),
        leave: (node) => leaveNode(sql, node)
      }
      const run = runOn(store, connection, { answerWithinMs, onTimeout: () => {} })
      yield* run("listen", async () => {
        for (const channel of channels) await sql.unsafe(`listen "${channel}"`)
      })
      return { run }
    })
})
