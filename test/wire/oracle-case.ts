/** The conversion cases of ../shared/oracle, and what a module that runs one direction of them looks like. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { sharedPath } from "../shared-folder.ts"

export const oracleFolder = sharedPath("oracle")

export interface OracleCase {
  readonly id: number
  readonly slug: string
  readonly direction: string
  readonly match: "subset" | "subset-prefix" | "events" | "final-usage" | "predicate"
  readonly input: unknown
  readonly expected: unknown
  readonly absent?: ReadonlyArray<string>
  readonly invariants?: ReadonlyArray<string>
  readonly allow_extra?: ReadonlyArray<string>
}

/** What came out: a body, a status with a body, or the events of a stream (`[DONE]` as that string). */
export interface Outcome {
  readonly body?: unknown
  readonly status?: number
  readonly events?: ReadonlyArray<unknown>
}

export interface Direction {
  readonly direction: string
  run(oracleCase: OracleCase): Outcome
  /** For cases of kind `predicate`, by slug: throws where a statement does not hold. */
  readonly predicates: Readonly<Record<string, (outcome: Outcome, oracleCase: OracleCase) => void>>
}

export const readCases = (): ReadonlyArray<OracleCase> =>
  existsSync(oracleFolder)
    ? globSync(`${oracleFolder}/*.json`)
        .toSorted()
        .map((file) => JSON.parse(readFileSync(file, "utf8")) as OracleCase)
    : []

/** Every module in `directions/`; a new direction is a new file there. */
export const readDirections = async (): Promise<ReadonlyMap<string, Direction>> => {
  const files = globSync(`${import.meta.dirname}/directions/*.ts`)
  const modules = await Promise.all(
    files.map((file) => import(file) as Promise<{ readonly direction: Direction }>)
  )
  return new Map(modules.map(({ direction }) => [direction.direction, direction]))
}
