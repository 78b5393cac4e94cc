/** When a silent stream is to be kept alive, in the eyes of a clock that looks only from time to time. */
import { sweepMs } from "../upstream/Sweeper.ts"

/** What would be due before the clock's next look is due now, so that the silence never lasts longer than the limit. */
export const keepAliveDueMs = (limitSeconds: number): number =>
  Math.max(limitSeconds * 500, limitSeconds * 1000 - sweepMs)
