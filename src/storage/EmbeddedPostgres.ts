/** A real PostgreSQL of our own in the data folder: started with us, started again when it dies, stopped with us. */
import { Effect, Ref, Schedule, type Scope } from "effect"
import { mkdirSync } from "node:fs"
import { keepRunning } from "../collections/keep-running.ts"
import { findFreePort } from "../config/find-free-port.ts"
import { type Cluster, openCluster, userName } from "./embedded/create-cluster.ts"
import { attempt, EmbeddedPostgresError } from "./embedded/EmbeddedPostgresError.ts"
import { findPrograms } from "./embedded/find-programs.ts"
import { placeHome } from "./embedded/place-home.ts"
import { removeOldSockets, socketFolder } from "./embedded/socket-folder.ts"
import {
  type Postmaster,
  type PostmasterOptions,
  startPostmaster,
  stopOrphan,
  stopPostmaster
} from "./embedded/postmaster.ts"

export interface RunningPostgres {
  /** With the password. It stays the same for as long as the scope is open. */
  readonly url: string
  /** By way of its Unix socket, where it has one. */
  readonly socketUrl: string
  readonly port: number
  /** The server process of this moment; another one after a restart. */
  readonly pid: Effect.Effect<number>
}

/** The caller holds the folder's lock, so that a server found running there is nobody's. */
export const startEmbeddedPostgres = Effect.fnUntraced(function* (options: {
  readonly dataDir: string
}): Effect.fn.Return<RunningPostgres, EmbeddedPostgresError, Scope.Scope> {
  const { dataDir } = options
  const home = yield* attempt(`use the data folder ${dataDir}`, () => {
    mkdirSync(dataDir, { recursive: true })
    return placeHome(dataDir)
  })
  if (home.isElsewhere) {
    const reason = `the user ${home.user?.name} that PostgreSQL runs as can not enter ${dataDir}`
    yield* Effect.logWarning(`The database lies in ${home.path}, since ${reason}; back up that folder`)
  }
  const programs = yield* attempt("find PostgreSQL's programs", () => findPrograms(home))
  // Once begun it is waited for: a process that makes the files would go on without us, beside the next start.
  const cluster = yield* Effect.uninterruptible(
    attempt("create the database", () => openCluster(home, programs))
  )
  const orphan = yield* attempt("stop an old PostgreSQL", () => stopOrphan(cluster.path))
  if (orphan !== undefined)
    yield* Effect.logWarning(`Stopped PostgreSQL ${orphan}, left by a process that was killed`)

  const run = Effect.runForkWith(yield* Effect.context())
  yield* attempt("remove old sockets", () => removeOldSockets(home.path))
  const sockets = yield* Ref.make(socketFolder(home.path))
  const start = (port: number) =>
    Effect.flatMap(Ref.get(sockets), (folder) =>
      attempt("start PostgreSQL", () =>
        startPostmaster({
          program: programs.postgres,
          clusterPath: cluster.path,
          port,
          socketFolder: folder,
          user: home.user,
          onLine: (line) => run(logLine(line))
        })
      )
    )
  // Some file systems have no sockets. Once there is one, whoever was told of it relies on it.
  const startFirst = (port: number) =>
    Effect.tapError(start(port), ({ reason }) =>
      hasNoSockets(reason) ? Ref.set(sockets, undefined) : Effect.void
    )
  const port = yield* Ref.make(0)
  const current = yield* Effect.acquireRelease(
    startOnFreePort(startFirst, port).pipe(Effect.flatMap((postmaster) => Ref.make(postmaster))),
    (running) =>
      Effect.flatMap(Ref.get(running), (postmaster) => Effect.promise(() => stopPostmaster(postmaster)))
  )
  yield* Effect.forkScoped(supervise(current, start(yield* Ref.get(port))))
  return {
    url: urlOf(cluster, yield* Ref.get(port)),
    socketUrl: urlOf(cluster, yield* Ref.get(port), yield* Ref.get(sockets)),
    port: yield* Ref.get(port),
    pid: Effect.map(Ref.get(current), ({ pid }) => pid)
  }
})

type Start = (port: PostmasterOptions["port"]) => Effect.Effect<Postmaster, EmbeddedPostgresError>

/** `socketFolder` in the place of a host, as libpq has it. */
const urlOf = ({ password }: Cluster, port: number, socketFolder = "127.0.0.1") =>
  `postgres://${userName}:${password}@${encodeURIComponent(socketFolder)}:${port}/postgres`

const hasNoSockets = (reason: string): boolean => /Unix-domain socket/.test(reason)

/** Somebody may take the port before us, and a killed server's last helpers may still hold its memory. */
const startOnFreePort = (start: Start, taken: Ref.Ref<number>) =>
  findFreePort.pipe(
    Effect.filterOrFail(
      (port) => port !== 0,
      () => new EmbeddedPostgresError({ reason: "Could not find a free port" })
    ),
    Effect.tap((port) => Ref.set(taken, port)),
    Effect.flatMap(start),
    Effect.retry({
      schedule: Schedule.exponential("100 millis"),
      times: 5,
      while: ({ reason }) => hasNoSockets(reason) || /TCP\/IP|still in use|lock file/.test(reason)
    })
  )

const pauses = { delaysMs: [50, 100, 200, 400, 800, 1_600, 3_200, 5_000], steadyMs: 60_000 }

const supervise = (current: Ref.Ref<Postmaster>, start: Effect.Effect<Postmaster, EmbeddedPostgresError>) => {
  // A start once begun is waited for, so that closing the scope finds the process it has to stop.
  const restart = Effect.uninterruptible(
    Effect.tap(start, (postmaster) => Ref.set(current, postmaster))
  ).pipe(Effect.tap(() => Effect.logInfo("PostgreSQL runs again")))
  let hasDied = false
  const life = Effect.gen(function* () {
    const { gone } = hasDied ? yield* restart : yield* Ref.get(current)
    hasDied = true
    const lastLine = yield* Effect.promise(() => gone)
    return yield* new EmbeddedPostgresError({ reason: `PostgreSQL died: ${lastLine}` })
  })
  return keepRunning(life, { pauses })
}

/** Its own failures are ours to tell; clients that were cut off while it stops are not news. */
const logLine = (line: string) =>
  /(FATAL|PANIC):/.test(line) && !/terminating connection|the database system is/.test(line)
    ? Effect.logWarning(`PostgreSQL: ${line}`)
    : Effect.logDebug(`PostgreSQL: ${line}`)
