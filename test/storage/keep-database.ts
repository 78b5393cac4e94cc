/** Keeps one PostgreSQL for a test run: `node keep-database.ts <pid of the run> <folder>`; ends and cleans up with it. */
import { Effect } from "effect"
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { identifyProcess } from "../../src/storage/embedded/identify-process.ts"
import { startEmbeddedPostgres } from "../../src/storage/EmbeddedPostgres.ts"
import { delay } from "../delay.ts"

const [pid, folder] = [Number(process.argv[2]), process.argv[3]!]
const run = identifyProcess(pid)

const answer = (text: string) => {
  writeFileSync(`${folder}.new`, text, { mode: 0o600 })
  renameSync(`${folder}.new`, `${folder}.url`)
}

const untilRunEnds = async () => {
  if (run === undefined) return
  for (let now = run as string | undefined; now === run; now = identifyProcess(pid)) await delay(200)
}

const keep = Effect.gen(function* () {
  const { url } = yield* startEmbeddedPostgres({ dataDir: folder })
  answer(url)
  yield* Effect.promise(untilRunEnds)
})

try {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  await Effect.runPromise(Effect.scoped(keep))
} catch (error) {
  answer((error as Error).message)
  await untilRunEnds()
} finally {
  for (const path of [folder, `${folder}.url`, `${folder}.starting`])
    rmSync(path, { recursive: true, force: true })
}
