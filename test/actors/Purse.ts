/** An allowance in tests, from which a test takes as a thread does. */
import type { Allowance } from "../../src/actors/allowances.ts"

export class Purse implements Allowance {
  free = 0n
  readonly max: bigint

  constructor(max = 1_000n) {
    this.max = max
  }

  grant(amount: bigint): void {
    this.free += amount
  }

  takeBack(): bigint {
    const { free } = this
    this.free = 0n
    return free
  }
}
