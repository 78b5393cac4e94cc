/** Collects ids that are asked for while the journal is busy into one read. */
import type { Journal } from "./Journal.ts"
import type { Sql } from "../storage/Database.ts"

export const inBatches = <Id>(
  journal: Journal["Service"],
  read: (sql: Sql, nodeId: number, ids: ReadonlyArray<Id>) => Promise<void>,
  failed: (ids: ReadonlyArray<Id>) => void
) => {
  let waiting: Array<Id> = []
  return (id: Id): void => {
    waiting.push(id)
    if (waiting.length > 1) return
    let taken: Array<Id> = []
    let begun = false
    journal.read({
      run: async (sql, nodeId) => {
        begun = true
        taken = waiting
        waiting = []
        await read(sql, nodeId, taken)
        // Another read of the same turn may fail yet; these have their answer.
        taken = []
      },
      failed: () => {
        const unanswered = begun ? taken : waiting
        if (!begun) waiting = []
        taken = []
        failed(unanswered)
      }
    })
  }
}
