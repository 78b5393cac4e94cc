/**
 * What lies in `../shared` beside some checkouts: traffic of real providers and oracles, which are not ours to copy. Suites of
 * it are one skipped test where it is absent, and [`TellSkipped`](TellSkipped.ts) says so at the end of the run.
 */
import { describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { resolve } from "node:path"

export type SharedPart = "fixtures" | "oracle" | "oracle-responses"

export const sharedPath = (path: string): string => resolve(import.meta.dirname, "../../shared", path)

export const hasShared = (part: SharedPart): boolean => existsSync(sharedPath(part))

const absent = (part: SharedPart): string => `needs ../shared/${part}, which is absent here`

/** A suite of what is there alone: `suite` is not run without it. */
export const describeWith = (part: SharedPart, name: string, suite: () => void): void => {
  describe(name, hasShared(part) ? suite : () => it.skip(absent(part), () => {}))
}

export const itWith = (part: SharedPart, name: string, test: () => void | Promise<void>): void =>
  hasShared(part) ? it(name, test) : it.skip(`${name}: ${absent(part)}`, () => {})
