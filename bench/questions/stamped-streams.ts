/** Streams of 64 events that carry the time they were sent, asked of some sides by turns. */
import type { Bench } from "../Bench.ts"
import { type Contender, targetOf } from "../measure/contenders.ts"
import type { Results } from "../measure/tables.ts"
import { chatPath, stampedBody } from "./bodies.ts"

const events = 64
const secondsMin = 3

export interface StreamLoad {
  readonly connections: number
  /** Between two events; 0: as fast as they are read. */
  readonly intervalMs: number
  /** Begun on a schedule, since streams that begin together keep in step. */
  readonly ratePerSecond?: number
}

export const stampedStreams = (
  bench: Bench,
  sides: ReadonlyArray<Contender>,
  { intervalMs, ...load }: StreamLoad
): Promise<Results> => {
  const body = stampedBody(events, intervalMs)
  const job = (side: Contender) => ({ ...targetOf(side, chatPath, body), stamped: true })
  return bench.rounds(sides, job, { ...load, seconds: Math.max(secondsMin, bench.options.seconds) })
}
