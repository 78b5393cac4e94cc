/** Many schedules, as every night: `node test/simulation/run.ts SCHEDULES FIRST_SEED`. One that fails is told event by event. */
import { simulate } from "./Simulation.ts"

const [schedules = "100000", firstSeed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2)
const startedMs = performance.now()
let found = 0
for (let index = 0; index < Number(schedules) && found < 5; index++) {
  const finding = await simulate(Number(firstSeed) + index)
  // The machine has its turn, too.
  if (index % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
  if (index % 5_000 === 4_999) console.error(`${index + 1} schedules, ${found} found`)
  if (finding === undefined) continue
  found++
  console.log([...finding.trace, `seed ${finding.seed}: ${finding.message}`, ""].join("\n"))
}
const seconds = (performance.now() - startedMs) / 1_000
console.log(`${schedules} schedules from seed ${firstSeed} in ${seconds.toFixed(1)} s: ${found} found`)
process.exitCode = found === 0 ? 0 : 1
