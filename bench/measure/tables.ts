/** The tables and plots that most questions share. */
import type { Percentiles } from "../load/job.ts"
import type { Plot, Table } from "../Question.ts"
import type { Contender } from "./contenders.ts"
import { figure, type Round } from "./measure-round.ts"
import { median, shown, shownFigure } from "./statistics.ts"

export type Results = ReadonlyMap<Contender, ReadonlyArray<Round>>

/** `undefined` where that side did not take part. */
export const roundsOf = (results: Results, name: string): ReadonlyArray<Round> | undefined => {
  for (const [side, rounds] of results) if (side.name === name) return rounds
  return undefined
}

export const medianOf = (rounds: ReadonlyArray<Round>, read: (round: Round) => number): number =>
  median(rounds.map(read))

/** Throughput and what it costs. */
export const costTable = (title: string, results: Results): Table => ({
  title,
  columns: [
    "",
    "calls/s",
    "CPU per call, µs",
    "PostgreSQL per call, µs",
    "p50, ms",
    "p99, ms",
    "generator busy"
  ],
  rows: [...results].map(([side, rounds]) => [
    side.name,
    shownFigure(figure(rounds, (round) => round.perSecond)),
    side.pid === undefined ? "–" : shownFigure(figure(rounds, (round) => round.cpuMicros)),
    side.postgresOf === undefined ? "–" : shownFigure(figure(rounds, (round) => round.postgresMicros)),
    shown(medianOf(rounds, (round) => round.load.latency.p50)),
    shown(medianOf(rounds, (round) => round.load.latency.p99)),
    `${Math.round(medianOf(rounds, (round) => round.generatorBusy) * 100)} %`
  ])
})

/** Latencies in ms, with what each side adds to the first. */
export const latencyTable = (title: string, results: Results): Table => {
  const [[, base] = [undefined, []]] = [...results]
  return {
    title,
    columns: [
      "",
      "calls/s",
      "p50",
      "p90",
      "p99",
      "p99.9",
      "max",
      "added p50",
      "added p99",
      "CPU per call, µs"
    ],
    rows: [...results].map(([side, rounds]) => {
      const latency = (which: keyof Percentiles) =>
        shown(medianOf(rounds, (round) => round.load.latency[which]))
      return [
        side.name,
        shown(medianOf(rounds, (round) => round.perSecond)),
        latency("p50"),
        latency("p90"),
        latency("p99"),
        latency("p999"),
        latency("max"),
        shown(added(rounds, base, "p50")),
        shown(added(rounds, base, "p99")),
        shown(medianOf(rounds, (round) => round.cpuMicros))
      ]
    })
  }
}

/** Milliseconds that a side adds to another, from round to round of the same turn. */
export const added = (
  rounds: ReadonlyArray<Round>,
  base: ReadonlyArray<Round>,
  which: "p50" | "p99",
  of: "latency" | "firstByte" | "eventDelay" = "latency"
): number => median(rounds.map((round, index) => round.load[of][which] - base[index]!.load[of][which]))

/** How much more CPU time a call takes than another side's, from round to round. */
export const cpuRatio = (rounds: ReadonlyArray<Round>, base: ReadonlyArray<Round>): number =>
  median(rounds.map((round, index) => round.cpuMicros / base[index]!.cpuMicros))

export const costPlot = (name: string, title: string, results: Results): Plot => ({
  name,
  title,
  unit: "µs of CPU per call",
  bars: [...results]
    .filter(([side]) => side.pid !== undefined)
    .map(([side, rounds]) => ({ label: side.name, value: medianOf(rounds, (round) => round.cpuMicros) }))
})
