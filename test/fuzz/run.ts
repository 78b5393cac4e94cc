/**
 * The long fuzzing: `node test/fuzz/run.ts [minutes] [seed]`. Half of the time in process, half against a running
 * gateway. Prints the seed of whatever it finds, which `[minutes] [seed]` then begins with.
 */
import { startGateway } from "../gateway/start-gateway.ts"
import { readCorpus } from "./corpus.ts"
import { assertSound, brokenCall, brokenHttp, brokenProvider, type Statuses } from "./http.ts"
import { Random } from "../Random.ts"
import { targets } from "./targets.ts"

const minutes = Number(process.argv[2] ?? 5)
const firstSeed = Number(process.argv[3] ?? Date.now() % 1_000_000_000)
const say = (text: string) => process.stdout.write(`${text}\n`)
/** Slower than anything should be, by far. */
const slowMs = 5_000

const corpus = readCorpus()
let seed = firstSeed
const failures: Array<string> = []
const found = (name: string, cause: unknown) => {
  failures.push(name)
  say(
    `FOUND by ${name} with seed ${seed}: ${cause instanceof Error ? cause.stack?.slice(0, 3_000) : String(cause)}`
  )
}
say(`seed ${firstSeed}, ${minutes} minutes`)

const counts = new Map<string, number>()
const halfTime = Date.now() + minutes * 30_000
while (Date.now() < halfTime && failures.length < 20) {
  seed++
  for (const [name, target] of Object.entries(targets)) {
    const started = Date.now()
    try {
      target(new Random(seed), corpus)
    } catch (cause) {
      found(name, cause)
    }
    if (Date.now() - started > slowMs) found(name, `took ${Date.now() - started} ms`)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
}
say([...counts].map(([name, count]) => `${name}: ${count}`).join(", "))

const gateway = await startGateway()
const account = await gateway.account("1000000000")
const statuses: Statuses = new Map()
/** One after another: each is to get its own answer. */
const brokenProviders = async (randoms: ReadonlyArray<Random>) => {
  for (const random of randoms) await brokenProvider(random, gateway, account, corpus, statuses)
}
const end = Date.now() + minutes * 30_000
while (Date.now() < end && failures.length < 20) {
  seed++
  const turns = Array.from({ length: 20 }, (_, turn) => new Random(seed * 64 + turn))
  const attempts: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
    ["broken HTTP", () => Promise.all(turns.map((random) => brokenHttp(random, gateway, account, statuses)))],
    [
      "broken bodies",
      () => Promise.all(turns.map((random) => brokenCall(random, gateway, account, corpus, statuses)))
    ],
    ["broken provider", () => brokenProviders(turns.slice(0, 8))]
  ]
  for (const [name, attempt] of attempts) await attempt().catch((cause: unknown) => found(name, cause))
}
await assertSound(gateway, account, 1_000_000_000_000_000n).catch((cause: unknown) =>
  found("the books", cause)
)
say(
  [...statuses]
    .toSorted()
    .map(([name, count]) => `${name}: ${count}`)
    .join(", ")
)
await gateway.stop()
say(failures.length === 0 ? "nothing found" : `${failures.length} found`)
process.exit(failures.length === 0 ? 0 : 1)
