/** The lease with one of its parts taken out: what the simulation must find. */
import { Effect } from "effect"
import { type Clocks, LeaseDeadline } from "../../src/ledger/bridge/LeaseDeadline.ts"
import type { Journal } from "../../src/ledger/journal/Journal.ts"
import type { FaultName } from "./Faults.ts"
import type { ModelBreaks } from "./model-rows.ts"

export interface Breaks extends ModelBreaks {
  /** What befalls nodes, where a part is needed against little else. */
  readonly faults?: ReadonlyArray<FaultName>
  readonly deadline?: (clocks: Clocks) => LeaseDeadline
  readonly journal?: (journal: Journal["Service"]) => Journal["Service"]
  /** Threads do not look again after they have taken. */
  readonly leavesThreadsUnfenced?: boolean
}

class LateDeadline extends LeaseDeadline {
  override set(from: ReturnType<LeaseDeadline["now"]>, ms: number): void {
    super.set(from, ms + 6_000)
  }
}

const withoutReclaim = (journal: Journal["Service"]): Journal["Service"] => ({
  ...journal,
  serves: (owner) =>
    journal.serves({
      escrows: (costs) => owner.escrows(costs),
      notTold: (escrows) => owner.notTold(escrows),
      takeRecalled: () => owner.takeRecalled(),
      reclaim: () => Effect.void,
      begin: (session) => owner.begin(session)
    })
})

/** Each node lets pass whatever it is asked for. */
const withoutLimits = (journal: Journal["Service"]): Journal["Service"] => ({
  ...journal,
  between: ({ failed, run }) =>
    journal.between({
      failed,
      run: (store) =>
        run({
          ...store,
          takePermits: async (asks) =>
            asks.map(({ calls, keyId }) => ({ keyId, granted: calls, retryAfterMs: 0 }))
        })
    })
})

interface BrokenLease {
  readonly breaks: Breaks
  /** What the simulation says. */
  readonly found: RegExp
}

export const brokenLeases = {
  "a deadline that comes after the lease has ended": {
    breaks: {
      faults: ["freeze"],
      deadline: (clocks) => new LateDeadline(LeaseDeadline.make(clocks).memory, clocks)
    },
    found: /which is gone/
  },
  "threads that do not look again after they have taken": {
    breaks: { faults: ["freezeInTake"], leavesThreadsUnfenced: true },
    found: /which is gone/
  },
  "holds of open calls that are not claimed first": {
    breaks: { faults: ["freeze", "swallow"], journal: withoutReclaim },
    found: /is at -|than there is|used \d+ of/
  },
  "nodes that are taken for gone by one that was away itself": {
    breaks: { faults: ["restartDatabase"], declaresWithoutSteadiness: true },
    found: /though nothing kept it from renewing/
  },
  "statements of a session that come after the next one has begun": {
    breaks: { faults: ["stick"], acceptsStaleSessions: true },
    found: /is at -|than there is|402/
  },
  "refusals while a node has a part that has not been heard of": {
    breaks: { faults: ["kill"], believesUnheard: true },
    found: /402/
  },
  "leases that go on where the database's clock is set back": {
    breaks: { faults: ["kill", "setDatabaseClock"], leavesLeasesAhead: true },
    found: /10 s after all faults|still locks what it had/
  },
  "budgets that forget what open calls hold": {
    breaks: { forgetsBudgetHolds: true },
    found: /used \d+ of (its|the) budget/
  },
  "limits that the database is not asked about": {
    breaks: { journal: withoutLimits },
    found: /has passed \d+ calls of/
  },
  "budgets of members that count each key by itself": {
    breaks: { countsMembersByKey: true },
    found: /have used \d+ of the budget of/
  }
} satisfies Record<string, BrokenLease>
