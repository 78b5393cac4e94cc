/** Collects ids that are asked for while the journal is busy into one read. */
import type { Journal } from "./Journal.ts"
import type { JournalSql } from "./JournalSession.ts"

export const inBatches = <Id>(
  journal: Journal["Service"],
  read: (sql: JournalSql, nodeId: number, ids: ReadonlyArray<Id>) => Promise<void>,
  failed: (ids: ReadonlyArray<Id>) => void
) => {
  let waiting: Array<Id> = []
  return (id: Id): void => {
    waiting.push(id)
    if (waiting.length > 1) return
    let taken: Array<Id> = []
    journal.read({
      run: (sql, nodeId) => {
        taken = waiting
        waiting = []
        return read(sql, nodeId, taken)
      },
      failed: () => {
        const unanswered = [...taken, ...waiting]
        waiting = []
        taken = []
        failed(unanswered)
      }
    })
  }
}
