/**
 * Mixed load for a while, with faults every few seconds: `node test/chaos/soak.ts [minutes=30] [seed]`. It prints counts
 * of calls, of faults, the money before and after and the memory, and ends with 1 where a promise was not kept.
 */
import { Effect, Exit, Scope } from "effect"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { startEmbeddedPostgres } from "../../src/storage/EmbeddedPostgres.ts"
import { startGateway, type TestAccount, type TestGateway } from "../gateway/start-gateway.ts"
import { readMetrics, sumOf } from "../operations/read-metrics.ts"
import { Random } from "../Random.ts"
import { makeInjector } from "./soak-faults.ts"
import { type Book, callOnce, newBook } from "./soak-load.ts"
import { until } from "../until.ts"
import { delay } from "../delay.ts"

export interface SoakOptions {
  readonly seconds: number
  readonly seed: number
  readonly callers?: number
  readonly log?: (line: string) => void
}

export interface SoakReport {
  readonly calls: number
  readonly kinds: Readonly<Record<string, number>>
  readonly faults: Readonly<Record<string, number>>
  readonly complete: number
  readonly failed: number
  readonly undecided: number
  readonly creditedVnd: number
  readonly chargedVnd: number
  readonly leftVnd: number
  /** MiB of the process: in the middle third of the time, and in the last. */
  readonly middleMemory: number
  readonly lastMemory: number
  readonly threadRestarts: number
  /** What was not as it should be; empty when all is well. */
  readonly broken: ReadonlyArray<string>
}

const creditVnd = 100_000_000
const accountsMax = 4

export const soak = async (options: SoakOptions): Promise<SoakReport> => {
  const scope = Scope.makeUnsafe()
  const folder = mkdtempSync(join(tmpdir(), "tollgate-soak-"))
  // PostgreSQL runs as another user where this one is root.
  chmodSync(folder, 0o755)
  const quick = { first_byte_timeout_ms: 1_500, idle_timeout_ms: 1_500 }
  try {
    const database = await Effect.runPromise(
      startEmbeddedPostgres({ dataDir: folder }).pipe(Scope.provide(scope))
    )
    const gateway = await startGateway({
      databaseUrl: database.url,
      env: { GATEWAY_THREADS: "2", TOLLGATE_TEST_CRASH: "gateway", LOG_LEVEL: "warn" },
      yaml: {
        limits: { drain_seconds: 5 },
        providers: { anthropic: quick, deepseek: quick, bedrock: quick }
      }
    })
    try {
      return await run(gateway, () => Effect.runPromise(database.pid), options)
    } finally {
      await gateway.stop()
    }
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
}

const run = async (
  gateway: TestGateway,
  databasePid: () => Promise<number>,
  { callers = 24, log = () => {}, seconds, seed }: SoakOptions
): Promise<SoakReport> => {
  const random = new Random(seed)
  const accounts: Array<TestAccount> = []
  for (let index = 0; index < accountsMax; index++) accounts.push(await gateway.account(String(creditVnd)))
  const book = newBook()
  const injector = makeInjector(gateway, databasePid, random)
  const memory: Array<number> = []
  const { pid } = gateway
  let until = Date.now() + seconds * 1000
  const place = {
    url: () => gateway.url,
    keys: accounts.map(({ key }) => key),
    mayBreak: () => Date.now() - injector.threadKilledAt() < 8_000
  }
  const load = Array.from({ length: callers }, async (_, index) => {
    const own = new Random(seed * 1_000 + index)
    while (Date.now() < until) await callOnce(place, own, book)
  })
  const watch = async () => {
    while (Date.now() < until) {
      memory.push(residentMiB(pid))
      if (!lives(pid)) until = 0
      await delay(500)
    }
  }
  const harm = async () => {
    while (Date.now() < until - 4_000) {
      await delay(2_000 + random.next() * 3_000)
      await injector.inject()
      log(`${Math.round((until - Date.now()) / 1000)} s left, ${callsOf(book)} calls, ${memory.at(-1)} MiB`)
    }
  }
  await Promise.all([...load, watch(), harm()])
  if (!lives(pid)) throw new Error(`the process has died: ${gateway.output.slice(-8_000)}`)
  const metrics = await settled(gateway)
  const broken = [...book.wrong.slice(0, 20), ...(await findBroken(gateway, accounts, book))]
  const chargedVnd = await charged(gateway, accounts)
  return {
    calls: callsOf(book),
    kinds: Object.fromEntries([...book.kinds].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    faults: Object.fromEntries(injector.counts),
    complete: book.complete.length,
    failed: book.failed.length,
    undecided: book.undecided.length,
    creditedVnd: creditVnd * accountsMax,
    chargedVnd: Number(chargedVnd) / 1e6,
    leftVnd: Number(await left(gateway, accounts)) / 1e6,
    middleMemory: mean(memory, 1 / 3, 2 / 3),
    lastMemory: mean(memory, 2 / 3, 1),
    threadRestarts: sumOf(metrics, "tollgate_thread_restarts_total"),
    broken
  }
}

const callsOf = ({ kinds }: Book): number => [...kinds.values()].reduce((sum, count) => sum + count, 0)

/** Waits until nothing is under way, and everything is committed. */
const settled = (gateway: TestGateway) =>
  until(async () => {
    const metrics = await readMetrics(gateway.url).catch(() => undefined)
    if (metrics === undefined) return undefined
    const zero = ["tollgate_open_calls", "tollgate_holds", "tollgate_journal_queue"]
    return sumOf(metrics, "tollgate_database_available") === 1 &&
      zero.every((name) => sumOf(metrics, name) === 0)
      ? metrics
      : undefined
  }, 60)

/** The promises about money, against the database. */
const findBroken = async (
  gateway: TestGateway,
  accounts: ReadonlyArray<TestAccount>,
  book: Book
): Promise<ReadonlyArray<string>> => {
  const broken: Array<string> = []
  const rows = new Map<string, { readonly status: number; readonly cost: bigint }>()
  for (const { accountId } of accounts) {
    for (const row of await gateway.calls(accountId)) {
      if (rows.has(row.id)) broken.push(`${row.id} has two rows`)
      rows.set(row.id, { status: row.status, cost: row.cost_micro_vnd })
    }
  }
  for (const id of book.complete) {
    const row = rows.get(id)
    if (row === undefined || row.status !== 200 || row.cost === 0n) {
      broken.push(`${id} was answered but not charged (${row?.status})`)
    }
  }
  for (const id of book.failed) {
    const row = rows.get(id)
    if (row !== undefined && row.cost !== 0n) broken.push(`${id} failed (${row.status}) but was charged`)
  }
  const known = new Set([...book.complete, ...book.undecided])
  for (const [id, { cost, status }] of rows) {
    if (cost !== 0n && status === 200 && !known.has(id)) {
      // A thread that dies between the commit and the answer: its client got nothing it could know.
      if (!lostWithThread(gateway)) broken.push(`${id} was charged, but nobody was answered`)
    }
  }
  const spent = await charged(gateway, accounts)
  const expected = BigInt(creditVnd * accounts.length) * 1_000_000n - spent
  if ((await left(gateway, accounts)) !== expected) broken.push("balances are not credits less charges")
  broken.push(...audit(gateway))
  return broken
}

const lostWithThread = (gateway: TestGateway): boolean => gateway.output.includes("Gateway thread 0 ended")

const charged = async (gateway: TestGateway, accounts: ReadonlyArray<TestAccount>): Promise<bigint> => {
  let sum = 0n
  for (const { accountId } of accounts) {
    for (const row of await gateway.calls(accountId)) sum += row.cost_micro_vnd
  }
  return sum
}

const left = async (gateway: TestGateway, accounts: ReadonlyArray<TestAccount>): Promise<bigint> => {
  let sum = 0n
  for (const { accountId } of accounts) sum += await gateway.balance(accountId)
  return sum
}

const root = fileURLToPath(new URL("../..", import.meta.url))

const audit = (gateway: TestGateway): ReadonlyArray<string> => {
  try {
    execFileSync(join(root, "node_modules", ".bin", "node"), ["src/main.ts", "audit", "--json"], {
      cwd: root,
      stdio: "pipe",
      env: { PATH: process.env["PATH"] ?? "", DATA_DIR: gateway.dataDir, DATABASE_URL: gateway.databaseUrl }
    })
    return []
  } catch (error) {
    const { stderr, stdout } = error as { readonly stdout: Buffer; readonly stderr: Buffer }
    return [`audit: ${String(stdout).slice(0, 500)} ${String(stderr).slice(0, 500)}`]
  }
}

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A dead child that nobody has asked after still has its number, but no memory.
    return residentMiB(pid) > 0
  } catch {
    return false
  }
}

const residentMiB = (pid: number): number => {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
    return Math.round(Number(kilobytes) / 1024)
  } catch {
    return 0
  }
}

const mean = (values: ReadonlyArray<number>, from: number, to: number): number => {
  const part = values.slice(Math.floor(values.length * from), Math.floor(values.length * to))
  return Math.round(part.reduce((sum, value) => sum + value, 0) / Math.max(1, part.length))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const minutes = Number(process.argv[2] ?? 30)
  const seed = Number(process.argv[3] ?? Date.now() % 100_000)
  const report = await soak({
    seconds: minutes * 60,
    seed,
    log: (line) => process.stdout.write(`${line}\n`)
  })
  const growth = report.lastMemory / report.middleMemory
  const broken = [...report.broken, ...(growth > 1.05 ? [`memory grew by ${growth}`] : [])]
  process.stdout.write(`${JSON.stringify({ seed, ...report, broken }, null, 2)}\n`)
  process.exit(broken.length === 0 ? 0 : 1)
}
