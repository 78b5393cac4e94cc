/** Where charges go when the database does not answer: on disk (`Spool`), in memory in simulations. */
import type { CallRecord } from "../../domain/call.ts"

export interface CallSpool {
  /** Throws when it can not be written; the records then count as not spooled. */
  append(records: ReadonlyArray<CallRecord>): void
  /** Everything spooled is committed now. */
  clear(): void
  /** Keeps records that the database refuses where an operator finds them. */
  setAside(records: ReadonlyArray<CallRecord>): void
  close(): void
  /** Records that a former process has left behind, and what forgets them once they are committed. */
  leftBehind(): { readonly records: ReadonlyArray<CallRecord>; readonly forget: () => void }
}
