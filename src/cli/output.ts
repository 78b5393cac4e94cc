/** How answers reach standard output: one JSON value for programs, or a few lines for people. */
import { Effect, Schema } from "effect"

/** Whoever read the output left before its end, as `head` does; no failure of ours. */
export class ReaderGone extends Schema.TaggedError<ReaderGone>()("ReaderGone", {}) {}

/** Waits while the reader is slow, so that any amount of output takes little memory. */
export const writeOutput = (text: string): Effect.Effect<void, ReaderGone> =>
  Effect.callback((resume) => {
    process.stdout.write(text, (error) => {
      resume(error === null || error === undefined ? Effect.void : Effect.fail(new ReaderGone()))
    })
  })

/** `render` says it in words. */
export const answer = (json: boolean, value: object, render: () => string): Effect.Effect<void, ReaderGone> =>
  Effect.suspend(() => writeOutput(`${json ? JSON.stringify(value) : render()}\n`))

/** `1 call`, `2 calls`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** A row's cell in each column, by the column's name. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string>>

export const tableOf = <Row>(columns: Columns<Row>, rows: ReadonlyArray<Row>): string =>
  table(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((cell) => cell(row)))
  )

/** Columns under their names, each as wide as its widest cell. */
export const table = (names: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const lines = [names, ...rows]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => [...(line[column] ?? "")].length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell + " ".repeat(widths[column]! - [...cell].length))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** Without a listener a write to a reader that left would end the process before it has cleaned up. */
export const outliveReader = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
}
