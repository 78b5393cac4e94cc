/** A quick run of the fuzzing with a fixed seed; `node test/fuzz/run.ts` is the long one. */
import { describe, it } from "@effect/vitest"
import { readCorpus } from "./corpus.ts"
import { Random } from "../Random.ts"
import { targets } from "./targets.ts"

const seed = 20_260
const runs: Readonly<Record<string, number>> = { requests: 700, streams: 600, counts: 50 }

describe("whatever comes from outside", { timeout: 120_000 }, () => {
  const corpus = readCorpus()

  it.each(Object.keys(targets))("keeps its promises: %s", (name) => {
    for (let turn = 0; turn < (runs[name] ?? 500); turn++) {
      try {
        targets[name]!(new Random(seed + turn), corpus)
      } catch (cause) {
        throw new Error(`${name} with seed ${seed + turn}: ${String(cause)}`, { cause })
      }
    }
  })
})
