/**
 * A customer on a slow line. uWebSockets.js gives ten seconds for each 160 KB of a body, and closes the connection else;
 * who brings less is waited for all the same, as long as it comes steadily.
 */
import { steadyMs } from "../telemetry/steady-clock.ts"

const leastBytesPerSecond = 1_024
/** Well before the connection would be closed, which is after eight seconds at the soonest. */
const everyMs = 4_000
const patienceMs = 15 * 60_000

export class SlowSender {
  readonly #beganMs = steadyMs()
  #countedMs = this.#beganMs
  #bytes = 0

  /** Whether its time is to begin anew, now that so many bytes have come. */
  brings(bytes: number): boolean {
    this.#bytes += bytes
    const nowMs = steadyMs()
    const passedMs = nowMs - this.#countedMs
    if (passedMs < everyMs || nowMs - this.#beganMs > patienceMs) return false
    const isEnough = this.#bytes * 1_000 >= passedMs * leastBytesPerSecond
    this.#bytes = 0
    this.#countedMs = nowMs
    return isEnough
  }
}
