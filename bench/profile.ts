/**
 * Where a gateway's CPU time goes, thread by thread: `node bench/profile.ts [plain|stream|paced|convert] [seconds]`.
 * Prints what each function takes by itself; the profiles stay in a folder for closer looks.
 */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Bench } from "./Bench.ts"
import { targetOf } from "./measure/contenders.ts"
import { root } from "./measure/start-process.ts"
import { chatBody, chatPath, stampedBody } from "./questions/bodies.ts"

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

interface Profile {
  readonly nodes: ReadonlyArray<{ readonly id: number; readonly callFrame: CallFrame }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

const bodies: Record<string, string> = {
  plain: chatBody(),
  stream: chatBody({ stream: true, prompt: "[sim: tokens=64]" }),
  paced: stampedBody(64, 20),
  convert: chatBody({ stream: true, prompt: "[sim: tokens=64]", model: "claude-sonnet-4-6" })
}

const shownMax = 45
const [kind = "plain", seconds = "8"] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "tollgate-profile-"))
const bench = new Bench({ quick: true, rounds: 1, seconds: Number(seconds) })
const tollgate = await bench.startTollgate({
  nodeFlags: ["--cpu-prof", `--cpu-prof-dir=${folder}`, "--cpu-prof-interval=400"]
})
const ours = await tollgate.contender(16)
const load = await bench.generator.load({
  ...targetOf(ours, chatPath, bodies[kind]!),
  connections: 64,
  seconds: Number(seconds)
})
await tollgate.stop()
await bench.stop()

const isIdle = (name: string) => name === "(idle)" || name === "(program)" || name === "(root)"

const summarise = (profile: Profile): void => {
  const frames = new Map(profile.nodes.map(({ callFrame, id }) => [id, callFrame]))
  const self = new Map<string, number>()
  let busy = 0
  for (const [index, id] of profile.samples.entries()) {
    const frame = frames.get(id)!
    const micros = profile.timeDeltas[index]!
    const place = frame.url.replace("file://", "").replace(root, "")
    const name = `${frame.functionName || "(anonymous)"} ${place === "" ? "" : `${place}:${frame.lineNumber + 1}`}`
    self.set(name, (self.get(name) ?? 0) + micros)
    if (!isIdle(frame.functionName)) busy += micros
  }
  console.log(`\nbusy ${(busy / 1e6).toFixed(2)} s, ${(busy / load.requests).toFixed(1)} µs per call`)
  for (const [name, micros] of [...self].toSorted((one, other) => other[1] - one[1]).slice(0, shownMax)) {
    console.log(
      `${((micros / busy) * 100).toFixed(1).padStart(6)} %  ${(micros / load.requests).toFixed(2).padStart(7)} µs  ${name}`
    )
  }
}

console.log(`${load.requests} calls, ${load.failures} failed; profiles in ${folder}`)
for (const file of readdirSync(folder)) {
  console.log(`\n# ${file}`)
  summarise(JSON.parse(readFileSync(join(folder, file), "utf8")) as Profile)
}
process.exit()
