/**
 * Where a gateway's CPU time goes, thread by thread: `node bench/profile.ts [plain|stream|paced|convert|agent-50|agent-500] [seconds] [connections] [tls]`.
 * `tls`: plain and paced calls go to an upstream behind it. Prints what each function takes by itself; the profiles stay in a folder for closer looks.
 */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Bench } from "./Bench.ts"
import { targetOf } from "./measure/contenders.ts"
import { root } from "./measure/start-process.ts"
import { bodies, chatPath } from "./questions/bodies.ts"

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

interface Profile {
  readonly nodes: ReadonlyArray<{ readonly id: number; readonly callFrame: CallFrame }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
  /** µs of the same clock as `process.hrtime`. */
  readonly startTime: number
}

const shownMax = 45
const [kind = "plain", seconds = "8", connections = "64", way] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "tollgate-profile-"))
const bench = new Bench({ quick: true, rounds: 1, seconds: Number(seconds) })
const tollgate = await bench.startTollgate({
  ...(way === "tls" && (await bench.secureUpstream())),
  nodeFlags: ["--cpu-prof", `--cpu-prof-dir=${folder}`, "--cpu-prof-interval=400"]
})
const ours = await tollgate.contender(16)
const job = { ...targetOf(ours, chatPath, bodies[kind]!), connections: Number(connections) }
// What is compiled and opened once is not the calls'.
await bench.generator.load({ ...job, connections: 64, seconds: 4 })
const nowMicros = () => Number(process.hrtime.bigint() / 1000n)
const from = nowMicros()
const load = await bench.generator.load({ ...job, seconds: Number(seconds) })
const to = nowMicros()
await tollgate.stop()
await bench.stop()

/** A codec worker waits for its next task in the last of them. */
const idle = new Set(["(idle)", "(program)", "(root)", "atomicsWaitLoop"])

/** The package, or the folder of ours, that a function belongs to. */
const areaOf = (place: string): string =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(place)?.[1] ?? /^(src\/[^/]+)/.exec(place)?.[1] ?? "Node and V8"

const summarise = (profile: Profile): void => {
  const frames = new Map(profile.nodes.map(({ callFrame, id }) => [id, callFrame]))
  const functions = new Map<string, number>()
  const areas = new Map<string, number>()
  const add = (sums: Map<string, number>, name: string, micros: number) =>
    sums.set(name, (sums.get(name) ?? 0) + micros)
  let busy = 0
  let at = profile.startTime
  for (const [index, id] of profile.samples.entries()) {
    const micros = profile.timeDeltas[index]!
    at += micros
    if (at < from || at > to) continue
    const frame = frames.get(id)!
    const place = frame.url.replace("file://", "").replace(root, "")
    add(
      functions,
      `${frame.functionName || "(anonymous)"} ${place === "" ? "" : `${place}:${frame.lineNumber + 1}`}`,
      micros
    )
    if (idle.has(frame.functionName)) continue
    add(areas, frame.functionName === "(garbage collector)" ? "garbage collector" : areaOf(place), micros)
    busy += micros
  }
  console.log(`\nbusy ${(busy / 1e6).toFixed(2)} s, ${(busy / load.requests).toFixed(1)} µs per call`)
  for (const sums of [areas, functions]) {
    console.log("")
    for (const [name, micros] of [...sums].toSorted((one, other) => other[1] - one[1]).slice(0, shownMax)) {
      const share = ((micros / busy) * 100).toFixed(1).padStart(6)
      console.log(`${share} %  ${(micros / load.requests).toFixed(2).padStart(7)} µs  ${name}`)
    }
  }
}

console.log(`${load.requests} calls, ${load.failures} failed; profiles in ${folder}`)
for (const file of readdirSync(folder)) {
  console.log(`\n# ${file}`)
  summarise(JSON.parse(readFileSync(join(folder, file), "utf8")) as Profile)
}
process.exit()
