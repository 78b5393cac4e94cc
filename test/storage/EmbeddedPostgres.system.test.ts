import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import { spawn } from "node:child_process"
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, onTestFinished, vi } from "vitest"
import { identifyProcess } from "../../src/storage/embedded/identify-process.ts"
import { type RunningPostgres, startEmbeddedPostgres } from "../../src/storage/EmbeddedPostgres.ts"
import { openConnection } from "../../src/storage/postgres/Connection.ts"
import { findGuard, hold, killHard, letGo, makeFolder, untilDead } from "./child-process.ts"
import { withSql } from "./with-sql.ts"
import { delay } from "../delay.ts"
import { until } from "../until.ts"

const isRoot = process.getuid?.() === 0
const isLinux = process.platform === "linux"

let folder: string
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const withServer = <A>(
  use: (server: RunningPostgres) => Effect.Effect<A, unknown, Scope.Scope>,
  dataDir = folder
) => Effect.runPromise(Effect.scoped(Effect.flatMap(startEmbeddedPostgres({ dataDir }), use)))

const ask = (url: string, statement: string) =>
  Effect.tryPromise(() =>
    withSql<ReadonlyArray<Record<string, unknown>>>(url, (sql) => sql.unsafe(statement))
  )

/** Asks again until the server answers. */
const askWhenUp = (url: string, statement: string) =>
  Effect.eventually(Effect.tapError(ask(url, statement), () => Effect.promise(() => delay(20))))

const serverPid = () =>
  Number(readFileSync(join(folder, "postgres", "cluster", "postmaster.pid"), "utf8").split("\n")[0])

describe("EmbeddedPostgres", () => {
  it("is durable, listens on this machine alone and knows Unicode", () =>
    withServer(({ url }) =>
      Effect.gen(function* () {
        const names = ["fsync", "synchronous_commit", "full_page_writes", "data_checksums"]
        for (const name of names) assert.strictEqual((yield* ask(url, `show ${name}`))[0]![name], "on", name)
        const [row] = yield* ask(
          url,
          `select current_setting('listen_addresses') as address, current_setting('max_connections') as connections,
            current_setting('server_encoding') as encoding, current_setting('timezone') as zone, lower('ĐÔ') as lowered`
        )
        assert.deepStrictEqual(
          { ...row },
          { address: "127.0.0.1", connections: "100", encoding: "UTF8", zone: "UTC", lowered: "đô" }
        )
      })
    ))

  it("starts while the machine's clock is set ahead, as where the network tells the time", async () => {
    const realNow = Date.now
    let asked = 0
    const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + asked++ * 3_600_000)
    await withServer(({ url }) => ask(url, "select 1")).finally(() => clock.mockRestore())
  })

  it("that is stopped while it is made leaves nobody behind who writes into its folder", async () => {
    const made = join(folder, "postgres", "cluster")
    const starting = Effect.runFork(Effect.scoped(startEmbeddedPostgres({ dataDir: folder })))
    await until(() => existsSync(`${made}.new`))
    await Effect.runPromise(Fiber.interrupt(starting))
    assert.deepStrictEqual([existsSync(`${made}.new`), existsSync(made)], [false, true])
    await withServer(({ url }) => ask(url, "select 1"))
  })

  it("asks for its password, which its owner alone may read", () =>
    withServer(({ url }) =>
      Effect.gen(function* () {
        const wrong = new URL(url)
        wrong.password = "wrong"
        const error = yield* Effect.flip(ask(wrong.href, "select 1"))
        assert.strictEqual((error.cause as { code?: string }).code, "28P01")
        assert.strictEqual(statSync(join(folder, "postgres", "password")).mode & 0o777, 0o600)
        assert.strictEqual(statSync(join(folder, "postgres")).mode & 0o777, 0o700)
      })
    ))

  it("has a Unix socket too, and whatever its folder is called, and leaves none behind, not even of a server that was killed", async () => {
    const dataDir = join(folder, 'a, "b": c%20')
    const home = join(dataDir, "postgres")
    const sockets = () => readdirSync(home).filter((name) => name.startsWith(".s.PGSQL."))
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, ".s.PGSQL.1"), "")
    await withServer(
      ({ port, socketUrl }) =>
        Effect.gen(function* () {
          assert.sameMembers(sockets(), [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`])
          const connection = openConnection(socketUrl, { name: "test" })
          yield* Effect.addFinalizer(() => Effect.promise(() => connection.close()))
          const [row] = yield* Effect.promise(() => connection.sql`select inet_server_addr() as address`)
          assert.isNull(row!["address"])
        }),
      dataDir
    )
    assert.isEmpty(sockets())
  })

  it("does without a socket whose path would be too long", async () => {
    const deep = join(folder, "a".repeat(100))
    await withServer(({ socketUrl, url }) => Effect.sync(() => assert.strictEqual(socketUrl, url)), deep)
  })

  it("keeps what was committed from one start to the next, and leaves no process behind", async () => {
    const pid = await withServer((server) =>
      Effect.andThen(ask(server.url, "create table kept as select 7 as number"), server.pid)
    )
    assert.isUndefined(identifyProcess(pid))
    const rows = await withServer(({ url }) => ask(url, "select number from kept"))
    assert.strictEqual(rows[0]!["number"], 7)
  })

  it("starts the server again on the same port when it is killed, with all that was committed", () =>
    withServer((server) =>
      Effect.gen(function* () {
        yield* ask(server.url, "create table kept as select 7 as number")
        for (let round = 0; round < 3; round++) {
          const pid = yield* server.pid
          process.kill(pid, "SIGKILL")
          yield* Effect.promise(() => untilDead(pid))
          const [row] = yield* askWhenUp(server.url, "select number from kept")
          assert.strictEqual(row!["number"], 7)
          // The server answers an instant before it is known to run.
          while ((yield* server.pid) === pid) yield* Effect.sleep("10 millis")
        }
      })
    ))

  it("stops in order while it is being started again", async () => {
    await withServer((server) =>
      Effect.flatMap(server.pid, (pid) => Effect.sync(() => process.kill(pid, "SIGKILL")))
    )
    const rows = await withServer(({ url }) => ask(url, "select 1 as one"))
    assert.strictEqual(rows[0]!["one"], 1)
  })

  it("starts over after a first start that was interrupted", async () => {
    mkdirSync(join(folder, "postgres", "cluster.new"), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, "postgres", "cluster.new", "PG_VERSION"), "half")
    await withServer(({ url }) => ask(url, "select 1"))
    assert.deepStrictEqual(
      readdirSync(join(folder, "postgres")).filter((name) => name.endsWith(".new")),
      []
    )
  })

  it("refuses files of another PostgreSQL version in one clear line", async () => {
    await withServer(({ url }) => ask(url, "select 1"))
    writeFileSync(join(folder, "postgres", "cluster", "PG_VERSION"), "11\n")
    const error = await Effect.runPromise(
      Effect.flip(Effect.scoped(startEmbeddedPostgres({ dataDir: folder })))
    )
    assert.match(
      error.message,
      /cluster was made by PostgreSQL 11, this program carries 18; dump and restore it$/
    )
  })

  it("is not stopped by an old file that gives another program's number for the server's", async () => {
    await withServer(({ url }) => ask(url, "select 1"))
    const cluster = join(folder, "postgres", "cluster")
    const { uid, gid } = statSync(cluster)
    const other = spawn("sleep", ["60"], isRoot ? { uid, gid } : {})
    onTestFinished(() => void other.kill())
    const pidFile = join(cluster, "postmaster.pid")
    writeFileSync(pidFile, `${other.pid}\n${cluster}\n1\n1\n\n127.0.0.1\n\nready\n`, { mode: 0o600 })
    if (isRoot) chownSync(pidFile, uid, gid)
    await withServer(({ url }) => ask(url, "select 1"))
    assert.isDefined(identifyProcess(other.pid!))
  })
})

describe("EmbeddedPostgres and its owner", () => {
  it("refuses a second server on the folder while the first goes on", async () => {
    const first = await hold("serve", folder)
    const second = await hold("serve", folder)
    assert.include(second.answer, `refused The data folder ${folder} is in use by process ${first.child.pid}`)
    await Effect.runPromise(ask(first.answer.split(" ")[1]!, "select 1"))
    await letGo(first)
    assert.deepStrictEqual(readdirSync(folder), ["postgres"])
  })

  it("ends by itself when its owner is killed", async () => {
    const owner = await hold("serve", folder)
    const pid = serverPid()
    await killHard(owner)
    await untilDead(pid)
  })

  it("is started anew, with all that was committed, right after its owner was killed", async () => {
    const owner = await hold("serve", folder)
    await Effect.runPromise(ask(owner.answer.split(" ")[1]!, "create table kept as select 7 as number"))
    await killHard(owner)
    const next = await hold("serve", folder)
    const rows = await Effect.runPromise(ask(next.answer.split(" ")[1]!, "select number from kept"))
    assert.strictEqual(rows[0]!["number"], 7)
    await letGo(next)
  })

  it.skipIf(!isLinux)("is taken over when its owner and its guard were killed together", async () => {
    const owner = await hold("serve", folder)
    const orphan = serverPid()
    await Effect.runPromise(ask(owner.answer.split(" ")[1]!, "create table kept as select 7 as number"))
    process.kill(findGuard(orphan)!, "SIGKILL")
    await killHard(owner)
    await Effect.runPromise(ask(owner.answer.split(" ")[1]!, "select 1"))
    const next = await hold("serve", folder)
    assert.isUndefined(identifyProcess(orphan))
    const rows = await Effect.runPromise(ask(next.answer.split(" ")[1]!, "select number from kept"))
    assert.strictEqual(rows[0]!["number"], 7)
    await letGo(next)
  })

  it.skipIf(!isRoot)("runs as the user who started it where that is not root", async () => {
    chownSync(folder, 65_534, 65_534)
    const owner = await hold("serve", folder, 65_534)
    assert.match(owner.answer, /^held postgres:/)
    assert.strictEqual(statSync(join(folder, "postgres", "cluster")).uid, 65_534)
    await letGo(owner)
    assert.isFalse(existsSync(join(folder, "postgres", "cluster", "postmaster.pid")))
  })
})
