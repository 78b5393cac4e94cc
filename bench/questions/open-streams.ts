/** What does an open stream cost in memory, and do many delay the others? */
import { readFileSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import type { Bench } from "../Bench.ts"
import type { Question } from "../Question.ts"
import { Generator } from "../load/Generator.ts"
import { bareRelay, type Contender, startBareRelay, targetOf } from "../measure/contenders.ts"
import { residentBytes } from "../measure/read-process.ts"
import { shown, whole } from "../measure/statistics.ts"
import { chatPath, stampedBody } from "./bodies.ts"

/** An event this often in the streams that are only open. */
const holdIntervalMs = 10_000
const settleMs = 2_000

interface Step {
  readonly side: string
  readonly open: number
  readonly kilobytesEach: number
  readonly delayP50: number
  readonly delayP99: number
}

export const openStreams: Question = {
  name: "open-streams",
  title: "1 to 10,000 open streams",
  ask: async (bench) => {
    const most = Math.min(bench.options.quick ? 1_000 : 10_000, streamsMax())
    const counts = [1, 100, 1_000, most].filter((count, index, all) => count > (all[index - 1] ?? 0))
    const upstream = await bench.leanUpstream()
    const relay = await bench.own(startBareRelay(upstream.found))
    const tollgate = await bench.startTollgate({})
    const ours = await tollgate.contender(16)
    const steps = [...(await climb(bench, bareRelay(relay), counts)), ...(await climb(bench, ours, counts))]
    await tollgate.stop()
    const largest = steps.at(-1)!
    const cut = most < 10_000 && !bench.options.quick
    return {
      tables: [
        {
          title:
            "Memory beyond idle, and the delay of the events of 16 other streams meanwhile (an event each 20 ms)",
          columns: ["", "open streams", "KB each", "delay p50, ms", "delay p99, ms"],
          rows: steps.map((step) => [
            step.side,
            whole(step.open),
            step.open < 100 ? "–" : shown(step.kilobytesEach),
            shown(step.delayP50),
            shown(step.delayP99)
          ])
        }
      ],
      budgets: [
        {
          promise: `${whole(largest.open)} open streams: memory for each beyond idle`,
          value: largest.kilobytesEach,
          limit: 40,
          sense: "at most",
          unit: "KB",
          isRatio: true
        }
      ],
      notes: cut
        ? [`A process may have ${openFilesMax()} open files here, and a stream takes two: hence ${most}.`]
        : []
    }
  }
}

/** Node raises its own limit to the most it may have. */
const openFilesMax = (): number =>
  Number(/^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Infinity)

/** One file to the client, one to the upstream, and some for everything else. */
const streamsMax = (): number => Math.floor((openFilesMax() - 500) / 200) * 100

const climb = async (
  bench: Bench,
  side: Contender,
  counts: ReadonlyArray<number>
): Promise<ReadonlyArray<Step>> => {
  const others = {
    ...targetOf(side, chatPath, stampedBody(64, 20)),
    stamped: true,
    connections: 16,
    seconds: bench.options.seconds
  }
  // What the first calls bring into memory is not the streams'.
  await bench.generator.load(others)
  await delay(settleMs)
  const idleBytes = residentBytes(side.pid!)
  const holder = new Generator()
  const held = targetOf(side, chatPath, stampedBody(1_000, holdIntervalMs))
  const steps: Array<Step> = []
  let open = 0
  for (const count of counts) {
    const result = await holder.hold({ ...held, connections: count - open })
    if (result.failures > 0)
      console.error(`  ${side.name}: ${result.failures} streams failed (${result.firstFailure})`)
    open += result.open
    await delay(settleMs)
    const bytes = residentBytes(side.pid!)
    const { eventDelay } = await bench.generator.load(others)
    steps.push({
      side: side.name,
      open,
      kilobytesEach: (bytes - idleBytes) / 1000 / open,
      delayP50: eventDelay.p50,
      delayP99: eventDelay.p99
    })
  }
  await holder.release()
  holder.close()
  return steps
}
