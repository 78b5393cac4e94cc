/**
 * From which size on is a body worth a thread hop? Prepares bodies of many sizes in place and on a codec worker, and
 * prints what each costs: `node bench/codec-threshold.ts [rounds]`. CPU time, so that other work on the machine counts little.
 */
import { Effect } from "effect"
import { CodecWorkers } from "../src/compute/CodecWorkers.ts"
import { shareBytes } from "../src/compute/share-bytes.ts"
import { type CodecTask, runCodecTask } from "../src/compute/codec-tasks.ts"
import { Catalogue } from "../src/domain/catalogue.ts"
import type { AccountId } from "../src/domain/ids.ts"
import { readFileSync } from "node:fs"

const kibibyte = 1024
const sizes = [4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096].map((size) => size * kibibyte)
const catalogue = new Catalogue(JSON.parse(readFileSync("src/domain/catalogue.json", "utf8")))
const rounds = Number(process.argv[2] ?? 40)

/** A conversation of turns of 400 bytes, as agents send them. */
const conversation = (model: string, bytes: number): Buffer => {
  const words = "The quick brown fox jumps over the lazy dog, and says: xin chào! "
  const content = words.repeat(6)
  const count = Math.max(1, Math.round(bytes / (content.length + 40)))
  const messages = Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content
  }))
  return Buffer.from(JSON.stringify({ model, max_tokens: 100, messages }))
}

const taskOf = (model: string, body: Uint8Array, protocol: "messages" | "chat_completions"): CodecTask => ({
  _tag: "Prepare",
  task: { way: { endpoint: "messages", protocol }, model: catalogue.get(model)!, body, anthropicBeta: "" }
})

/** Median CPU microseconds of the whole process and of this thread, and wall microseconds. */
const measure = async (use: () => unknown) => {
  const samples: Array<readonly [number, number, number]> = []
  for (let round = 0; round < rounds; round++) {
    const [all, mine, wall] = [process.cpuUsage(), threadCpu(), performance.now()]
    await use()
    const used = process.cpuUsage(all)
    samples.push([used.user + used.system, threadCpu() - mine, (performance.now() - wall) * 1000])
  }
  return [0, 1, 2].map(
    (place) => samples.map((sample) => sample[place]!).toSorted((a, b) => a - b)[rounds >> 1]!
  )
}

const threadCpu = (): number => {
  const read = (process as { threadCpuUsage?: () => { user: number; system: number } }).threadCpuUsage
  const used = read?.call(process) ?? process.cpuUsage()
  return used.user + used.system
}

const workers = new CodecWorkers({
  worker: new URL("../workers/codec.ts", import.meta.url),
  threads: 1,
  queueMax: 8,
  warn: console.error
})
const shown = (microseconds: number) => String(Math.round(microseconds)).padStart(10)
console.log("µs              in place    hop: this thread    hop: all CPU    hop: wall")
for (const [name, model, protocol] of [
  ["same protocol", "claude-sonnet-5", "messages"],
  ["converted", "gpt-5.5", "chat_completions"]
] as const) {
  console.log(name)
  for (const size of sizes) {
    const body = conversation(model, size)
    const shared = Buffer.from(shareBytes(body).buffer)
    const local = taskOf(model, body, protocol)
    const hop = taskOf(model, shared, protocol)
    const onWorker = () => Effect.runPromise(workers.run("acc_bench" as AccountId, hop))
    for (let warm = 0; warm < 20; warm++) {
      runCodecTask(local)
      await onWorker()
    }
    const [, inPlace] = await measure(() => runCodecTask(local))
    const [all, mine, wall] = await measure(onWorker)
    console.log(
      `${String(size / kibibyte).padStart(8)} KiB${shown(inPlace!)}${shown(mine!)}          ${shown(all!)}      ${shown(wall!)}`
    )
  }
}
await workers.close()
