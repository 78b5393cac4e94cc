/** Do bodies of 1 MiB and 20 MiB hold up the streams of others? */
import type { Bench } from "../Bench.ts"
import { atMost, type Budget, type Question } from "../Question.ts"
import { Generator } from "../load/Generator.ts"
import type { Percentiles } from "../load/job.ts"
import { type Contender, targetOf } from "../measure/contenders.ts"
import { type GatewayMetrics, readMetrics } from "../measure/read-metrics.ts"
import { median, shown } from "../measure/statistics.ts"
import { chatBody, chatPath, stampedBody } from "./bodies.ts"

const mebibyte = 1024 * 1024
const sizes = [
  { name: "no large body", bytes: 0, limitMs: undefined },
  { name: "1 MiB", bytes: mebibyte, limitMs: 20 },
  { name: "20 MiB", bytes: 20 * mebibyte, limitMs: 50 }
] as const

interface Seen {
  readonly eventDelay: Percentiles
  readonly metrics: GatewayMetrics
  readonly bodies: number
  readonly bodyMs: number
}

export const largeBodyStalls: Question = {
  name: "large-body-stalls",
  title: "Bodies of 1 MiB and 20 MiB beside streams",
  ask: async (bench) => {
    const ours = await bench.ours()
    const sender = new Generator()
    const seen = new Map<string, Array<Seen>>(sizes.map(({ name }) => [name, []]))
    for (let round = 0; round < bench.options.rounds; round++) {
      for (const { bytes, name } of sizes) seen.get(name)!.push(await watch(bench, sender, ours, bytes))
    }
    sender.close()
    const of = (name: string, read: (seen: Seen) => number) => median(seen.get(name)!.map(read))
    return {
      tables: [
        {
          title:
            "32 streams with an event each 20 ms, while one connection sends large bodies one after another; ms",
          columns: [
            "",
            "bodies",
            "time of one",
            "event delay p50",
            "p99",
            "max",
            "longest stall of the gateway thread"
          ],
          rows: sizes.map(({ name }) => [
            name,
            shown(of(name, ({ bodies }) => bodies)),
            shown(of(name, ({ bodyMs }) => bodyMs)),
            shown(of(name, ({ eventDelay }) => eventDelay.p50)),
            shown(of(name, ({ eventDelay }) => eventDelay.p99)),
            shown(of(name, ({ eventDelay }) => eventDelay.max)),
            shown(of(name, ({ metrics }) => metrics.longestDelayMs))
          ])
        }
      ],
      budgets: sizes.flatMap(({ limitMs, name }): Array<Budget> =>
        limitMs === undefined
          ? []
          : [
              atMost(
                `A body of ${name}: longest stall of the gateway thread`,
                of(name, ({ metrics }) => metrics.longestDelayMs),
                limitMs,
                "ms"
              )
            ]
      )
    }
  }
}

const watch = async (bench: Bench, sender: Generator, ours: Contender, bytes: number): Promise<Seen> => {
  const seconds = Math.max(2, bench.options.seconds)
  await readMetrics(ours.url) // Starts its measure of the delay again.
  const streams = bench.generator.load({
    ...targetOf(ours, chatPath, stampedBody(64, 20)),
    stamped: true,
    connections: 32,
    seconds
  })
  const bodies =
    bytes === 0
      ? undefined
      : await sender.load({
          ...targetOf(ours, chatPath, chatBody({ bytes: bytes - 1 })),
          connections: 1,
          seconds
        })
  if ((bodies?.failures ?? 0) > 0) console.error(`  large bodies failed: ${bodies!.firstFailure}`)
  const { eventDelay } = await streams
  return {
    eventDelay,
    metrics: await readMetrics(ours.url),
    bodies: bodies?.requests ?? 0,
    bodyMs: bodies?.latency.p50 ?? NaN
  }
}
