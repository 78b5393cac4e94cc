/** What each of the gateway's threads keeps in memory and how late it runs, under load. */
import type { Bench } from "../Bench.ts"
import type { LoadJob, Target } from "../load/job.ts"
import type { Table } from "../Question.ts"
import { readMetrics, type ThreadReading } from "./read-metrics.ts"
import { residentBytes } from "./read-process.ts"
import { shown } from "./statistics.ts"

const megabyte = 1e6

/** One load after another, `connections` each. Measured apart from the rounds, since reading the metrics costs too. */
export const threadTable = async (
  bench: Bench,
  title: string,
  target: Target,
  connections: ReadonlyArray<number>
): Promise<Table> => {
  const { started } = await bench.tollgate()
  const rows: Array<ReadonlyArray<string>> = []
  for (const each of connections) {
    const job: LoadJob = { ...target, connections: each, seconds: bench.options.seconds }
    await readMetrics(started.found)
    await bench.generator.load(job)
    const { threads } = await readMetrics(started.found)
    for (const thread of threads) rows.push([String(each), ...shownThread(thread), ""])
    rows.push([String(each), "whole process", "–", "–", "–", "–", megabytes(residentBytes(started.pid))])
  }
  return {
    title,
    columns: ["connections", "", "heap, MB", "loop delay p50, ms", "p99", "max", "resident, MB"],
    rows
  }
}

const shownThread = ({ heapBytes, max, p50, p99, thread }: ThreadReading): ReadonlyArray<string> => [
  thread === "main" ? "main thread (ledger)" : `gateway thread ${thread}`,
  megabytes(heapBytes),
  shown(p50),
  shown(p99),
  shown(max)
]

const megabytes = (bytes: number): string => shown(bytes / megabyte)
