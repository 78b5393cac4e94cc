/** One living process per data folder, also after a `kill -9` and with several that start at once. */
import { Effect, Predicate } from "effect"
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { attempt, FolderInUse } from "./EmbeddedPostgresError.ts"
import { identifyProcess } from "./identify-process.ts"
import { answersAt, listenForOthers } from "./sign-of-life.ts"

/** Holds the folder until the scope closes; creates it where it is missing. */
export const lockFolder = Effect.fnUntraced(function* (folder: string) {
  const path = join(folder, lockName)
  yield* attempt(`use the data folder ${folder} (DATA_DIR)`, () => makeFolder(folder))
  const identity = identifyProcess(process.pid)!
  const socket = yield* listenForOthers(folder)
  yield* Effect.acquireRelease(takeLock(folder, path, { pid: process.pid, identity, socket }), () =>
    Effect.sync(() => releaseLock(path, identity))
  )
})

const lockName = "tollgate.lock"

/** Node's own recursive way never ends where a folder can not be made although its parent is there, as below `/proc`. */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (cause) {
    // Another process was first.
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  }
}

const attemptsMax = 20

/** What the file says of its owner. Processes of another container are not seen here, or are others by the same number. */
interface Lock {
  readonly pid: number
  readonly identity: string | undefined
  /** In the same folder, where it can have one: whoever holds the lock listens there. */
  readonly socket: string | undefined
}

const takeLock = Effect.fnUntraced(function* (folder: string, path: string, lock: Lock) {
  for (let turn = 0; turn < attemptsMax; turn++) {
    const owner = yield* attempt(`lock the data folder ${folder}`, () => tryLock(path, lock))
    if (owner === undefined) return
    if (owner.isAlive) return yield* new FolderInUse({ folder, pid: owner.pid })
    yield* attempt(`clear the old lock of the data folder ${folder}`, () => removeStale(path))
  }
  return yield* new FolderInUse({ folder, pid: 0 })
})

interface Owner {
  readonly pid: number
  readonly isAlive: boolean
}

/** Takes a free lock, whole from its first moment, or answers who has it. */
const tryLock = async (path: string, lock: Lock): Promise<Owner | undefined> => {
  const candidate = `${path}.${process.pid}.${crypto.randomUUID()}`
  writeFileSync(candidate, JSON.stringify(lock), { mode: 0o600 })
  try {
    linkSync(candidate, path)
    return undefined
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    return await ownerOf(path)
  } finally {
    rmSync(candidate, { force: true })
  }
}

const ownerOf = async (path: string): Promise<Owner> => {
  const lock = readLock(path)
  if (lock === undefined) return { pid: 0, isAlive: false }
  const isHere = lock.identity !== undefined && lock.identity === identifyProcess(lock.pid)
  const isAlive = isHere || (lock.socket !== undefined && (await answersAt(dirname(path), lock.socket)))
  return { pid: lock.pid, isAlive }
}

const readLock = (path: string): Lock | undefined => {
  try {
    const lock: unknown = JSON.parse(readFileSync(path, "utf8"))
    if (!Predicate.isObject(lock) || !("pid" in lock) || !Predicate.isNumber(lock.pid)) return undefined
    const text = (name: string) => {
      const value: unknown = Reflect.get(lock, name)
      return Predicate.isString(value) ? value : undefined
    }
    return { pid: lock.pid, identity: text("identity"), socket: text("socket") }
  } catch {
    return undefined
  }
}

/** Two may find the same stale lock: whoever by then moves away a living one puts it back. */
const removeStale = async (path: string) => {
  const aside = `${path}.stale.${process.pid}.${crypto.randomUUID()}`
  try {
    renameSync(path, aside)
    const socket = readLock(aside)?.socket
    if ((await ownerOf(aside)).isAlive) linkSync(aside, path)
    else if (socket !== undefined) rmSync(join(dirname(path), basename(socket)), { force: true })
  } catch (cause) {
    if (!["ENOENT", "EEXIST"].includes((cause as NodeJS.ErrnoException).code ?? "")) throw cause
  } finally {
    rmSync(aside, { force: true })
  }
}

const releaseLock = (path: string, identity: string) => {
  if (readLock(path)?.identity === identity) rmSync(path, { force: true })
}
