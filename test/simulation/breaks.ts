/** The lease with one of its parts taken out: what the simulation must find. */
import { Effect } from "effect"
import { type Clocks, LeaseDeadline } from "../../src/ledger/bridge/LeaseDeadline.ts"
import type { Journal } from "../../src/ledger/journal/Journal.ts"
import type { ModelBreaks } from "./model-rows.ts"

export interface Breaks extends ModelBreaks {
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

interface BrokenLease {
  readonly breaks: Breaks
  /** What the simulation says. */
  readonly found: RegExp
  /** Not long before a schedule that finds it. */
  readonly fromSeed: number
}

export const brokenLeases = {
  "a deadline that comes after the lease has ended": {
    breaks: { deadline: (clocks) => new LateDeadline(LeaseDeadline.make(clocks).memory, clocks) },
    found: /which is gone/,
    fromSeed: 710
  },
  "threads that do not look again after they have taken": {
    breaks: { leavesThreadsUnfenced: true },
    found: /which is gone/,
    fromSeed: 1_667
  },
  "holds of open calls that are not claimed first": {
    breaks: { journal: withoutReclaim },
    found: /is at -|than there is/,
    fromSeed: 1_358
  },
  "nodes that are taken for gone by one that was away itself": {
    breaks: { declaresWithoutSteadiness: true },
    found: /though nothing kept it from renewing/,
    fromSeed: 528
  },
  "statements of a session that come after the next one has begun": {
    breaks: { acceptsStaleSessions: true },
    found: /is at -|than there is|402/,
    fromSeed: 4_332
  },
  "refusals while a node has a part that has not been heard of": {
    breaks: { believesUnheard: true },
    found: /402/,
    fromSeed: 310
  },
  "leases that go on where the database's clock is set back": {
    breaks: { leavesLeasesAhead: true },
    found: /10 s after all faults/,
    fromSeed: 1_990
  },
  "budgets that forget what open calls hold": {
    breaks: { forgetsBudgetHolds: true },
    found: /used \d+ of (its|the) budget/,
    fromSeed: 1
  },
  "budgets of members that count each key by itself": {
    breaks: { countsMembersByKey: true },
    found: /have used \d+ of the budget of/,
    fromSeed: 1
  }
} satisfies Record<string, BrokenLease>
