/**
 * What a body may be made of, and how much of that an event loop takes up itself. It is decided by one pass over the
 * bytes, before anything is parsed: how long parsing, converting and counting take depends on values more than on bytes.
 */
import { levelsMax } from "../formats/json/nesting.ts"
import type { Bounds } from "../formats/json/scan.ts"

/**
 * A client's body. No protocol has more than some dozens of members. The largest context there is, a million tokens,
 * holds fewer values than this; so many keep a codec worker busy for a second at most.
 */
export const bodyBounds: Bounds = { members: 1_000, values: 250_000, levels: levelsMax }

/** Done in place. So many of the dearest kind, which are converted, hold the event loop for 5 to 15 ms (bench/hostile-bodies.ts). */
export const inPlaceBounds: Bounds = { ...bodyBounds, values: 4_096 }

/** A provider's answer, on a codec worker: with the probabilities of twenty tokens for each, it has very many values. */
export const answerBounds: Bounds = { members: 1_000, values: 4_000_000, levels: 1_000_000 }
export const answerInPlaceBounds: Bounds = { ...answerBounds, values: inPlaceBounds.values }
