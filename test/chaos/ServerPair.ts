/**
 * A PostgreSQL of the run's own, made of the embedded package's programs, and a standby of it: either may end as
 * on a machine whose power is gone.
 */
import { Effect } from "effect"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findFreePort } from "../../src/config/find-free-port.ts"
import { asUser } from "../../src/storage/embedded/choose-user.ts"
import { cleanEnvironment, openCluster, userName } from "../../src/storage/embedded/create-cluster.ts"
import { findPrograms, type Programs } from "../../src/storage/embedded/find-programs.ts"
import { type Home, placeHome } from "../../src/storage/embedded/place-home.ts"
import { DatabaseProxy } from "../ledger/DatabaseProxy.ts"
import { withSql } from "../storage/with-sql.ts"
import { delay } from "../delay.ts"

interface Server {
  readonly path: string
  readonly port: number
  readonly child: ChildProcess
}

export class ServerPair {
  readonly #folder: string
  readonly #home: Home
  readonly #programs: Programs
  readonly #password: string
  readonly #connectionsMax: number
  #serving: Server
  #standby: Server | undefined
  /** By which the standby hears. */
  #stream: DatabaseProxy | undefined

  private constructor(
    folder: string,
    home: Home,
    programs: Programs,
    password: string,
    path: string,
    port: number,
    connectionsMax: number
  ) {
    this.#connectionsMax = connectionsMax
    this.#folder = folder
    this.#home = home
    this.#programs = programs
    this.#password = password
    this.#serving = this.#launch(path, port)
  }

  static async start({ connectionsMax = 100 } = {}): Promise<ServerPair> {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-pair-"))
    const home = placeHome(folder)
    const programs = findPrograms(home)
    const { password, path } = await openCluster(home, programs)
    const pair = new ServerPair(folder, home, programs, password, path, await freePort(), connectionsMax)
    await pair.#untilAnswers(pair.#serving)
    return pair
  }

  /** Of the one that serves now. */
  get url(): string {
    return this.#urlOf(this.#serving)
  }

  get pid(): number {
    return this.#serving.child.pid!
  }

  /** From now on, what is committed is on both; where nobody waits for the standby, a moment later, or after `makeDeaf` not at all. */
  async addStandby({ isWaitedFor = true } = {}): Promise<void> {
    const path = join(this.#home.path, "standby")
    this.#stream = new DatabaseProxy(this.url)
    const { port } = new URL(await this.#stream.start())
    const label = await withSql(this.url, async (sql) => {
      await sql`select pg_backup_start('standby', true)`
      execFileSync("cp", ["-a", this.#serving.path, path])
      const [row] = await sql<[{ labelfile: string }]>`select labelfile from pg_backup_stop(false)`
      return row.labelfile
    })
    rmSync(join(path, "postmaster.pid"), { force: true })
    writeFileSync(join(path, "backup_label"), label)
    writeFileSync(join(path, "standby.signal"), "")
    const source = `host=127.0.0.1 port=${port} user=${userName} password=${this.#password} application_name=standby`
    appendFileSync(join(path, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`)
    const { user } = this.#home
    if (user !== undefined) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, path])
    this.#standby = this.#launch(path, await freePort())
    await this.#untilAnswers(this.#standby)
    await withSql(this.url, async (sql) => {
      if (isWaitedFor) await sql.unsafe("alter system set synchronous_standby_names = 'standby'")
      await sql`select pg_reload_conf()`
      for (let state = ""; state !== (isWaitedFor ? "sync" : "async"); await delay(20)) {
        const [row] = await sql<Array<{ state: string }>>`select sync_state as state from pg_stat_replication`
        state = row?.state ?? ""
      }
    })
  }

  /** The standby hears nothing any more. */
  makeDeaf(): void {
    this.#stream!.dropsAnswers = true
  }

  /** The one that serves dies, and the standby takes over. */
  async failOver(): Promise<void> {
    await end(this.#serving, "SIGQUIT")
    this.#serving = this.#standby!
    this.#standby = undefined
    await withSql(this.url, (sql) => sql`select pg_promote(true)`)
  }

  /** In order (`SIGINT`), or as when the power goes (`SIGQUIT`); away for so long. */
  async restart(signal: "SIGINT" | "SIGQUIT", awayMs: number): Promise<void> {
    await end(this.#serving, signal)
    await delay(awayMs)
    this.#serving = this.#launch(this.#serving.path, this.#serving.port)
    await this.#untilAnswers(this.#serving)
  }

  async stop(): Promise<void> {
    if (this.#standby !== undefined) await end(this.#standby, "SIGQUIT")
    await end(this.#serving, "SIGQUIT")
    await this.#stream?.stop()
    for (const path of [this.#home.path, this.#folder]) rmSync(path, { recursive: true, force: true })
  }

  #urlOf({ port }: Server): string {
    return `postgres://${userName}:${this.#password}@127.0.0.1:${port}/postgres`
  }

  #launch(path: string, port: number): Server {
    const settings = [
      "listen_addresses=127.0.0.1",
      `port=${port}`,
      "unix_socket_directories=",
      `max_connections=${this.#connectionsMax}`
    ]
    const child = spawn(this.#programs.postgres, ["-D", path, ...settings.flatMap((each) => ["-c", each])], {
      ...asUser(this.#home.user),
      cwd: path,
      env: cleanEnvironment,
      stdio: "ignore"
    })
    return { path, port, child }
  }

  async #untilAnswers(server: Server): Promise<void> {
    const answers = () =>
      withSql(this.#urlOf(server), (sql) => sql`select 1`).then(
        () => true,
        () => false
      )
    while (!(await answers())) {
      if (server.child.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.child.exitCode}`)
      await delay(50)
    }
  }
}

const freePort = () => Effect.runPromise(findFreePort)

const end = async ({ child }: Server, signal: "SIGINT" | "SIGQUIT"): Promise<void> => {
  const ended = once(child, "exit")
  child.kill(signal)
  await ended
}
