/** One question of the suite and its answer: plain data, kept in results.json and shown in README.md. */
import type { Bench } from "./Bench.ts"

export interface Table {
  readonly title: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** Bars, one for each label. */
export interface Plot {
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly bars: ReadonlyArray<{ readonly label: string; readonly value: number }>
}

/** A promise of the design and how far it holds. */
export interface Budget {
  readonly promise: string
  readonly value: number
  readonly limit: number
  /** Whether `value` may be at most or must be at least `limit`. */
  readonly sense: "at most" | "at least"
  readonly unit: string
  /** Fails `--check`: a ratio within one run, which holds on any machine. */
  readonly isRatio: boolean
}

export interface Answer {
  readonly tables: ReadonlyArray<Table>
  readonly plots?: ReadonlyArray<Plot>
  readonly budgets?: ReadonlyArray<Budget> | undefined
  readonly notes?: ReadonlyArray<string>
}

export interface Question {
  readonly name: string
  readonly title: string
  /** `undefined` where what takes part is not there: the last answer stands. */
  readonly ask: (bench: Bench) => Promise<Answer | undefined>
}

/** An answer, and how it was come by. */
export interface Recorded {
  readonly name: string
  readonly title: string
  readonly date: string
  readonly rounds: number
  readonly seconds: number
  readonly answer: Answer
}

export interface Results {
  readonly machine: string
  readonly recorded: ReadonlyArray<Recorded>
}

/** At most so many times what stands beside it in the same run. */
export const ratioAtMost = (promise: string, value: number, limit: number): Budget => ({
  promise,
  value,
  limit,
  sense: "at most",
  unit: "×",
  isRatio: true
})

/** At most so much, which is up to the machine: `--check` does not ask for it. */
export const atMost = (promise: string, value: number, limit: number, unit: string): Budget => ({
  promise,
  value,
  limit,
  sense: "at most",
  unit,
  isRatio: false
})

export const isMet = ({ limit, sense, value }: Budget): boolean =>
  sense === "at most" ? value <= limit : value >= limit
