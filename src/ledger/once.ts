/**
 * Passes on the first answer only. The journal may have more to tell: a read can be done before another one fails its
 * turn, and a record is spooled before it is committed.
 */
export const once = <A extends ReadonlyArray<unknown>>(
  answer: (...values: A) => void
): ((...values: A) => void) => {
  let answered = false
  return (...values) => {
    if (answered) return
    answered = true
    answer(...values)
  }
}
