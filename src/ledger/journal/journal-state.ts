/** How the journal is doing. */
export interface JournalState {
  /** The database has answered the last time it was asked. */
  available: boolean
  commits: number
  committedCalls: number
  spooledCalls: number
  /** Rows of calls that cost nothing, left out because the queue was full. */
  droppedRows: number
  /** Rows that the database refused for what they hold; kept in the spool folder. */
  refusedRows: number
  /** Calls that were not charged, since what they held had been lost with the node's lease. */
  unpaidCalls: number
  lastCommitMs: number
  /** Time spent committing, in all. */
  commitMsTotal: number
}

export const newState = (): JournalState => ({
  available: false,
  commits: 0,
  committedCalls: 0,
  spooledCalls: 0,
  droppedRows: 0,
  refusedRows: 0,
  unpaidCalls: 0,
  lastCommitMs: 0,
  commitMsTotal: 0
})
