/** One run of the server process: start it, know when it is ready, stop it, and end one that outlived its owner. */
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { asUser, type User } from "./choose-user.ts"
import { cleanEnvironment } from "./create-cluster.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { identifyProcess, readCommandLine, readWorkingDirectory } from "./identify-process.ts"

export interface Postmaster {
  readonly pid: number
  readonly child: ChildProcess
  /** Resolves with what it complained of last once it is gone, however that came. */
  readonly gone: Promise<string>
}

export interface PostmasterOptions {
  readonly program: string
  readonly clusterPath: string
  readonly port: number
  readonly socketFolder: string | undefined
  readonly user: User | undefined
  readonly onLine: (line: string) => void
}

const startMsMax = 300_000
const stopMsMax = 20_000
const pollMs = 20

/** Starts it and waits until it takes connections. */
export const startPostmaster = async (options: PostmasterOptions): Promise<Postmaster> => {
  const child = spawn(options.program, serverOptions(options), {
    ...asUser(options.user),
    cwd: options.clusterPath,
    env: cleanEnvironment,
    stdio: ["ignore", "ignore", "pipe"],
    // A group of its own: Ctrl-C in a terminal is for us, and we still need the database to finish our calls.
    detached: true
  })
  let lastComplaint = ""
  const life = { isOver: false }
  // Listened to before anything else: an error that nobody hears is thrown.
  const gone = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message))
    child.once("close", (code, signal) => resolve(`it ended with ${signal ?? code} ${lastComplaint}`.trim()))
  }).finally(() => (life.isOver = true))
  // A process that could not even be made, for want of descriptors, has no pipes.
  const complaints = child.stderr as Readable | undefined
  if (complaints !== undefined)
    createInterface({ input: complaints }).on("line", (line) => {
      if (/(FATAL|PANIC):/.test(line)) lastComplaint = line
      options.onLine(line)
    })
  const deadline = performance.now() + startMsMax
  while (!life.isOver && performance.now() < deadline) {
    if (child.pid !== undefined && isReady(options.clusterPath, child.pid)) {
      guard(child.pid, options.user, gone)
      return { pid: child.pid, child, gone }
    }
    await delay(pollMs)
  }
  if (!life.isOver) child.kill("SIGKILL")
  throw new EmbeddedPostgresError({ reason: `PostgreSQL does not start: ${await gone}` })
}

/** Stops the server in order when we are killed: the guard's input then ends. Without a shell it is left to `stopOrphan`. */
const guard = (pid: number, user: User | undefined, gone: Promise<unknown>) => {
  const shell = spawn("/bin/sh", ["-c", 'read -r _; kill -INT "$0"', String(pid)], {
    ...asUser(user),
    cwd: "/",
    env: cleanEnvironment,
    stdio: ["pipe", "ignore", "ignore"],
    detached: true
  })
  shell.on("error", () => {})
  const input = shell.stdin as Writable | undefined
  input?.on("error", () => {})
  shell.unref()
  // The number may be another program's once the server is gone.
  void gone.then(() => shell.kill("SIGKILL"))
}

/** Ends it in order, its clients' transactions rolled back; by force when that takes too long. */
export const stopPostmaster = async (postmaster: Postmaster): Promise<void> => {
  postmaster.child.kill("SIGINT")
  const stopped = await Promise.race([
    postmaster.gone.then(() => true),
    delay(stopMsMax, false, { ref: false })
  ])
  if (!stopped) postmaster.child.kill("SIGKILL")
  await postmaster.gone
}

/** Ends the server that a killed owner left on this folder. */
export const stopOrphan = async (clusterPath: string): Promise<number | undefined> => {
  const pid = Number(readPidFile(clusterPath)[0] ?? 0)
  const identity = identifyProcess(pid)
  // Of a dead server PostgreSQL needs the file, to see whether helpers of it still live.
  if (identity === undefined) return undefined
  if (!isServerOf(clusterPath, pid)) {
    // The number is by now some other program's, which would keep PostgreSQL from starting.
    rmSync(join(clusterPath, pidFileName))
    return undefined
  }
  const isAlive = () => identifyProcess(pid) === identity
  signal(pid, "SIGINT")
  const deadline = performance.now() + stopMsMax
  while (isAlive() && performance.now() < deadline) await delay(pollMs)
  if (isAlive()) signal(pid, "SIGKILL")
  while (isAlive()) await delay(pollMs)
  return pid
}

const isServerOf = (clusterPath: string, pid: number): boolean =>
  readWorkingDirectory(pid) === clusterPath || readCommandLine(pid)?.includes(clusterPath) === true

const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ESRCH") throw cause
  }
}

const pidFileName = "postmaster.pid"

const readPidFile = (clusterPath: string): ReadonlyArray<string> => {
  try {
    return readFileSync(join(clusterPath, pidFileName), "utf8").split("\n")
  } catch {
    return []
  }
}

/** The server itself writes its state into the eighth line. */
const isReady = (clusterPath: string, pid: number): boolean => {
  const lines = readPidFile(clusterPath)
  return lines[0] === String(pid) && lines[7]?.trim() === "ready"
}

const serverOptions = ({ clusterPath, port, socketFolder }: PostmasterOptions): ReadonlyArray<string> => {
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    // A list, in which a comma or a space stands for itself within quotes.
    unix_socket_directories: socketFolder === undefined ? "" : `"${socketFolder.replaceAll('"', '""')}"`,
    max_connections: 100,
    shared_buffers: "128MB",
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    timezone: "UTC",
    log_timezone: "UTC",
    // Statements and their values never reach a log.
    log_min_messages: "log",
    log_checkpoints: "off",
    log_min_error_statement: "panic",
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
    log_error_verbosity: "terse",
    // Small machines: no helpers that mostly sleep, no shared memory beyond the first.
    io_method: "sync",
    max_parallel_workers_per_gather: 0,
    max_logical_replication_workers: 0,
    jit: "off"
  }
  return [
    "-D",
    clusterPath,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  ]
}
