/** One short round: a contender under load, with what it used meanwhile. */
import type { Generator } from "../load/Generator.ts"
import type { LoadJob, LoadResult } from "../load/job.ts"
import type { Contender } from "./contenders.ts"
import { cpuMs, postgresCpuMs } from "./read-process.ts"
import { type Figure, figureOf } from "./statistics.ts"

export interface Round {
  readonly load: LoadResult
  readonly perSecond: number
  /** µs of CPU time of the whole process, or of all nodes, for each call. */
  readonly cpuMicros: number
  readonly postgresMicros: number
  /** Of all the time that one core has. */
  readonly busy: number
  readonly generatorBusy: number
}

export const measureRound = async (
  generator: Generator,
  contender: Contender,
  job: LoadJob
): Promise<Round> => {
  const read = () => ({
    own: contender.pid === undefined ? NaN : ownCpuMs(contender.pid, contender),
    postgres: contender.postgresOf === undefined ? NaN : postgresCpuMs(contender.postgresOf),
    generator: cpuMs(generator.pid)
  })
  const before = read()
  const load = await generator.load(job)
  const after = read()
  if (load.failures > 0) {
    console.error(
      `  ${contender.name}: ${load.failures} of ${load.requests} calls failed (${load.firstFailure})`
    )
  }
  const micros = (of: "own" | "postgres") => ((after[of] - before[of]) * 1000) / load.requests
  return {
    load,
    perSecond: load.requests / load.seconds,
    cpuMicros: micros("own"),
    postgresMicros: micros("postgres"),
    busy: (after.own - before.own) / load.seconds / 1000,
    generatorBusy: (after.generator - before.generator) / load.seconds / 1000
  }
}

const ownCpuMs = (pid: number, { peers = [] }: Contender): number =>
  peers.reduce((sum, peer) => sum + cpuMs(peer.pid), cpuMs(pid))

/** Rounds of all sides by turns: A B C, C B A, A B C …, so that what drifts drifts for all. */
export const interleave = async <Side, A>(
  sides: ReadonlyArray<Side>,
  rounds: number,
  run: (side: Side) => Promise<A>
): Promise<ReadonlyMap<Side, ReadonlyArray<A>>> => {
  const results = new Map<Side, Array<A>>(sides.map((side) => [side, []]))
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) results.get(side)!.push(await run(side))
  }
  return results
}

export const figure = (rounds: ReadonlyArray<Round>, read: (round: Round) => number): Figure =>
  figureOf(rounds.map(read))
