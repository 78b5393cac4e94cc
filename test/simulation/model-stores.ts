/** Sessions of the journal and of the lease with the model of the database, over connections that may break. */
import { Effect, type Scope } from "effect"
import type { CallRecord } from "../../src/domain/call.ts"
import {
  answerWithinMs,
  type JournalConnector,
  type JournalStore,
  SessionOver
} from "../../src/ledger/journal/JournalStore.ts"
import {
  answerWithinMs as leaseAnswerWithinMs,
  type LeaseConnector,
  type LeaseStore
} from "../../src/ledger/node/LeaseStore.ts"
import type { Escrow } from "../../src/storage/EscrowStore.ts"
import { runOn } from "../../src/ledger/session.ts"
import type { DatabaseModel } from "./DatabaseModel.ts"
import { Connection, type Link } from "./Network.ts"

const opened = (
  link: Link,
  onLost: () => void,
  onNotice?: () => void
): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new Connection(link, onLost, onNotice)),
    (connection) => Effect.sync(() => connection.close())
  )

export const modelJournal = (model: DatabaseModel, link: Link): JournalConnector => ({
  open: (node, onLost) =>
    Effect.gen(function* () {
      const connection = yield* opened(link, onLost)
      const run = (session: number) =>
        runOn(storeOf(model, connection, node.id, session), connection, { answerWithinMs, onTimeout: onLost })
      const session = yield* run(0)("begin the journal", async () => {
        const begun = await connection.request(() =>
          model.nodes.beginJournal(node.id, () => connection.endByServer())
        )
        if (begun === undefined) throw new SessionOver()
        return begun
      })
      return { node, run: run(session) }
    })
})

const storeOf = (model: DatabaseModel, connection: Connection, id: number, session: number): JournalStore => {
  const say = (what: () => string) => connection.link.world.say("database", what)
  return {
    commit: async (batch) => {
      const copy = { records: [...batch.records], escrows: [...batch.escrows] }
      const isDone = await connection.request(() => {
        const done = model.commit(id, session, copy)
        say(
          () =>
            `${id} commits ${copy.records.map((each) => each.callId).join(" ")}: ${describe(copy.escrows)}${done ? "" : ", refused"}`
        )
        return done
      })
      if (!isDone) throw new SessionOver()
    },
    claim: async (asks) => {
      const copy = new Map(asks)
      const claims = await connection.request(() => {
        const found = model.claim(id, session, copy)
        for (const each of found ?? []) {
          const { free, granted, accountId, elsewhere, isExact, isPending, isUnheard } = each
          const { minimum, wanted } = copy.get(accountId)!
          say(
            () =>
              `${id} claims ${accountId}: ${minimum} to ${wanted}, granted ${granted}, free ${free}, elsewhere ${elsewhere}` +
              `${isExact ? ", exact" : ""}${isPending ? ", pending" : ""}${isUnheard ? ", unheard" : ""}`
          )
        }
        return found
      })
      if (claims === undefined) throw new SessionOver()
      for (const each of claims) model.arrived(id, each)
      return claims
    },
    giveBack: (escrows, recalled) =>
      connection.request(() => {
        say(() => `${id} gives back: ${describe(escrows)}, recalled ${recalled.join(" ")}`)
        model.giveBack(id, session, escrows, recalled)
      }),
    returnWallets: (accountIds) => connection.request(() => model.returnWallets(id, session, accountIds)),
    findCalls: (records: ReadonlyArray<CallRecord>) => connection.request(() => model.findCalls(records)),
    loadKeys: (keyIds) => connection.request(() => model.loadKeys(keyIds)),
    takePermits: (asks) => connection.request(() => model.takePermits(asks)),
    holdBudgets: async (asks) => {
      const copy = [...asks]
      const holds = await connection.request(() => model.holdBudgets(id, session, copy))
      if (holds === undefined) throw new SessionOver()
      return holds
    },
    releaseBudgets: (callIds) => {
      const copy = [...callIds]
      return connection.request(() => model.budgets.release(copy))
    },
    findStoredCall: () => connection.request(() => undefined),
    findStoredItems: () => connection.request(() => ({ tokens: 0, missing: 0 })),
    ping: () => connection.request(() => undefined)
  }
}

const describe = (escrows: ReadonlyArray<Escrow>): string =>
  escrows
    .map(({ accountId, amount, isExact }) => `${accountId} ${amount}${isExact ? " exact" : ""}`)
    .join(", ")

export const modelLease = (model: DatabaseModel, link: Link, listeners: Set<Connection>): LeaseConnector => ({
  open: (onNotice) =>
    Effect.gen(function* () {
      const connection = yield* opened(link, onNotice, onNotice)
      yield* Effect.addFinalizer(() => Effect.sync(() => listeners.delete(connection)))
      const store: LeaseStore = {
        register: (token, former) => connection.request(() => model.register(token, former)),
        beat: (node, confirmed, toldAtMs) =>
          connection.request(() => model.beat(node.id, confirmed, toldAtMs)),
        remembers: () => connection.request(() => true),
        eventsAfter: (id) => connection.request(() => model.eventsAfter(id)),
        announceProgress: () => connection.request(() => undefined),
        leave: (node) => connection.request(() => model.leave(node.id))
      }
      const run = runOn(store, connection, { answerWithinMs: leaseAnswerWithinMs, onTimeout: () => {} })
      yield* run("listen", () => connection.request(() => void listeners.add(connection)))
      return { run }
    })
})
