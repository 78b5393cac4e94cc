/**
 * How nodes share a wallet. A node claims all that no other holds; whoever lacks funds that others hold tells them what
 * is lacking, they give back what they have available, and the asker claims again.
 *
 * Told by notifications alone: one that is lost costs a call a short wait, never money.
 */
import type { Wallets } from "../actors/Wallets.ts"
import type { AccountId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import { announceWanted, giveBackShare } from "../storage/LedgerStore.ts"
import type { Journal } from "./Journal.ts"
import { once } from "./once.ts"

/** How long others are waited for. */
const answerWithinMs = 300

/** Other nodes have given something back; none has anything; not all have answered in time. */
export type RoundOutcome = "gained" | "nothing" | "silence"

interface Waiter {
  /** What the call would like to hold. */
  readonly wanted: MicroVnd
  readonly again: (outcome: RoundOutcome) => void
}

interface Round {
  readonly waiters: Array<Waiter>
  readonly timer: NodeJS.Timeout
  answers: number
}

export class Shares {
  readonly #journal: Journal["Service"]
  readonly #wallets: Wallets
  readonly #rounds = new Map<AccountId, Round>()
  /** How many nodes, this one included, may hold shares. */
  liveNodes = 1

  constructor(journal: Journal["Service"], wallets: Wallets) {
    this.#journal = journal
    this.#wallets = wallets
  }

  /** Asks the other nodes, once for all calls that lack funds of this wallet now. */
  want(accountId: AccountId, waiter: Waiter): void {
    const round = this.#rounds.get(accountId)
    if (round !== undefined) return void round.waiters.push(waiter)
    const timer = setTimeout(() => this.#end(accountId, "silence"), answerWithinMs)
    this.#rounds.set(accountId, { waiters: [waiter], timer, answers: 0 })
    this.#journal.read({
      run: (sql, nodeId) => announceWanted(sql, nodeId, accountId, this.#lacking(accountId)),
      failed: () => this.#end(accountId, "nothing")
    })
  }

  /** What another node, or this one itself, has announced. */
  heard(announcement: string): void {
    const [kind, node, account, value] = announcement.split(" ")
    if (Number(node) === this.#journal.state.nodeId) return
    const accountId = account as AccountId
    const amount = BigInt(value ?? 0)
    const round = this.#rounds.get(accountId)
    if (kind === "wanted") {
      // Of nodes that lack funds at once one keeps what it has, lest they swap the last of it for ever.
      const isFirst = round !== undefined && this.#journal.state.nodeId < Number(node)
      return isFirst ? undefined : this.#giveBack(accountId, amount)
    }
    if (round === undefined) return
    round.answers++
    if (amount > 0n) return this.#end(accountId, "gained")
    if (round.answers >= this.liveNodes - 1) this.#end(accountId, "nothing")
  }

  /** At least half of what is available, so that a busy wallet need not be asked for with every call. */
  #giveBack(accountId: AccountId, lacking: MicroVnd): void {
    const amount = this.#wallets.giveBack(accountId, lacking)
    const finish = once(() => this.#wallets.committed(accountId, amount))
    this.#journal.read({
      run: async (sql, nodeId) => {
        await giveBackShare(sql, nodeId, accountId, amount)
        finish()
      },
      // The session is lost, and all that was claimed in it.
      failed: finish
    })
  }

  #lacking(accountId: AccountId): MicroVnd {
    const waiters = this.#rounds.get(accountId)?.waiters ?? []
    return waiters.reduce((sum, { wanted }) => sum + wanted, 0n) - this.#wallets.availableOf(accountId)
  }

  #end(accountId: AccountId, outcome: RoundOutcome): void {
    const round = this.#rounds.get(accountId)
    if (round === undefined) return
    clearTimeout(round.timer)
    this.#rounds.delete(accountId)
    for (const { again } of round.waiters) again(outcome)
  }
}
