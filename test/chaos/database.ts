/**
 * `node test/chaos/database.ts [rounds] [seed]`: freezes, kills and cuts off the database of a loaded gateway again and
 * again, and counts the money.
 */
import { Effect, Exit, Logger, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startEmbeddedPostgres } from "../../src/storage/EmbeddedPostgres.ts"
import { startGateway } from "../gateway/start-gateway.ts"
import { Random } from "../Random.ts"
import { withSql } from "../storage/with-sql.ts"
import { KillRun } from "./KillRun.ts"
import { delay } from "../delay.ts"
import { until } from "../until.ts"

const rounds = Number(process.argv[2] ?? 12)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000)
const print = (line: string) => process.stdout.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), "tollgate-chaos-"))
const scope = Scope.makeUnsafe()
const server = await Effect.runPromise(
  startEmbeddedPostgres({ dataDir: folder }).pipe(Scope.provide(scope), Effect.provide(Logger.layer([])))
)
const random = new Random(seed)

/** Shorter than a reply waits for its commit, or longer. */
const freeze = async () => {
  const pids = await withSql(server.url, async (sql) => {
    const rows = await sql<Array<{ pid: number }>>`
      select pid from pg_stat_activity where pid <> pg_backend_pid()`
    return rows.map(({ pid }) => pid)
  })
  const frozen = [await Effect.runPromise(server.pid), ...pids]
  for (const pid of frozen) process.kill(pid, "SIGSTOP")
  const seconds = random.pick([1, 7, 13])
  await delay(seconds * 1_000)
  for (const pid of frozen) process.kill(pid, "SIGCONT")
  return `frozen for ${seconds} s`
}
const kill = async () => {
  process.kill(await Effect.runPromise(server.pid), "SIGKILL")
  return "killed"
}
const cut = async () => {
  await withSql(
    server.url,
    (sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and backend_type = 'client backend'`
  )
  return "cut off"
}

print(`${rounds} rounds, seed ${seed}`)
const gateway = await startGateway({ databaseUrl: server.url })
/** Until calls are admitted again, which must take less than 5 s. */
const untilReady = async () => {
  const startedMs = Date.now()
  await until(async () => (await fetch(`${gateway.url}/readyz`)).ok, 60)
  return Date.now() - startedMs
}
let slowestMs = 0
try {
  const run = new KillRun(gateway, random, async () => {
    const fault = await random.pick([freeze, kill, cut])()
    const backMs = await untilReady()
    slowestMs = Math.max(slowestMs, backMs)
    print(`${fault}, ready after ${backMs} ms`)
  })
  const report = await run.run(rounds)
  if (gateway.log.includes("put back to an earlier moment"))
    report.problems.push("the node took the database for put back")
  if (slowestMs > 5_000) report.problems.push(`service was back after ${slowestMs} ms`)
  print(JSON.stringify(report, null, 2))
  process.exitCode = report.problems.length === 0 ? 0 : 1
} finally {
  await gateway.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
}
