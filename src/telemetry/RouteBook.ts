/** How routes fare on this node: what its threads tell, kept until it is written down. */
import {
  addTallies,
  type HealthRow,
  healthSpanMs,
  noTally,
  type RouteCondition,
  type RouteTally,
  worstCondition
} from "../domain/route-health.ts"

interface Kept {
  row: HealthRow
  isWritten: boolean
}

/** Threads tell every few seconds what is not well; one that has ended says nothing more. */
const conditionsLastMs = 10_000
/** While the database is away. */
const rowsMax = 20_000

export class RouteBook {
  readonly #rows = new Map<string, Kept>()
  readonly #conditions = new Map<
    number,
    { readonly told: ReadonlyArray<RouteCondition>; readonly atMs: number }
  >()

  hear(
    thread: number,
    tallies: ReadonlyArray<RouteTally>,
    conditions: ReadonlyArray<RouteCondition>,
    nowMs: number
  ): void {
    this.#conditions.set(thread, { told: conditions, atMs: nowMs })
    const atMs = Math.floor(nowMs / healthSpanMs) * healthSpanMs
    for (const { family, route, ...counts } of tallies) {
      const key = `${atMs} ${route} ${family}`
      const known = this.#rows.get(key)
      if (known === undefined && this.#rows.size >= rowsMax) continue
      const row = { atMs, route, family, ...addTallies(known?.row ?? noTally, counts) }
      this.#rows.set(key, { row, isWritten: false })
    }
  }

  /** What is to be written; the answer notes that it was. Rows of spans that are over are then forgotten. */
  unwritten(nowMs: number): { readonly rows: ReadonlyArray<HealthRow>; readonly written: () => void } {
    const pending = [...this.#rows].filter(([, { isWritten }]) => !isWritten)
    return {
      rows: pending.map(([, { row }]) => row),
      written: () => {
        // What was counted meanwhile is another row.
        for (const [key, kept] of pending) if (this.#rows.get(key) === kept) kept.isWritten = true
        for (const [key, { isWritten, row }] of this.#rows)
          if (isWritten && row.atMs + healthSpanMs <= nowMs) this.#rows.delete(key)
      }
    }
  }

  /** One for each route that calls do not simply go by: the worst that a thread sees. */
  conditions(nowMs: number): ReadonlyArray<RouteCondition> {
    const worst = new Map<string, RouteCondition>()
    for (const { atMs, told } of this.#conditions.values()) {
      if (nowMs - atMs > conditionsLastMs) continue
      for (const condition of told) {
        const known = worst.get(condition.route)
        worst.set(condition.route, known === undefined ? condition : worstCondition(known, condition))
      }
    }
    return [...worst.values()]
  }
}
