/** Where a page ended, as an answer's `next` tells it and a later request brings it back. */
import { isDay } from "../../domain/vietnam-days.ts"

const rowMoment =
  /^(\d{4}-\d{2}-\d{2}) (?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,6})?[+-](?:0\d|1[0-5])(?::[0-5]\d){0,2}$/

/** A moment to the microsecond, as PostgreSQL writes it and, whoever made it up, can read it. */
export const isRowMoment = (text: string): boolean => {
  const [, day] = rowMoment.exec(text) ?? []
  return day !== undefined && isDay(day)
}

/** Of a page that is full, behind which more may follow. */
export const nextAfter = (rows: ReadonlyArray<{ readonly id: string }>, limit: number): string | null =>
  rows.length < limit ? null : rows.at(-1)!.id
