/** What an audit is made of: checks, each of which names what breaks one promise. */

export interface Violation {
  /** Which promise is broken. */
  readonly check: string
  /** The account, entry, call, hour or month that breaks it. */
  readonly subject: string
  readonly detail: string
}

export type Check = (limit: number) => PromiseLike<ReadonlyArray<Violation>>

/** So many are named at most. */
export const violationsMax = 100

export const findViolations = async (checks: ReadonlyArray<Check>): Promise<ReadonlyArray<Violation>> => {
  const violations: Array<Violation> = []
  for (const check of checks) {
    if (violations.length >= violationsMax) break
    violations.push(...(await check(violationsMax - violations.length)))
  }
  return violations
}
