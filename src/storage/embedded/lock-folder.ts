/** One living process per data folder, also after a `kill -9` and with several that start at once. */
import { Effect, Predicate } from "effect"
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { attempt, FolderInUse } from "./EmbeddedPostgresError.ts"
import { identifyProcess } from "./identify-process.ts"

/** Holds the folder until the scope closes; creates it where it is missing. */
export const lockFolder = Effect.fnUntraced(function* (folder: string) {
  const path = join(folder, lockName)
  yield* attempt(`use the data folder ${folder} (DATA_DIR)`, () => makeFolder(folder))
  yield* Effect.acquireRelease(takeLock(folder, path), () => Effect.sync(() => releaseLock(path)))
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

const takeLock = Effect.fnUntraced(function* (folder: string, path: string) {
  const identity = identifyProcess(process.pid)!
  for (let turn = 0; turn < attemptsMax; turn++) {
    const owner = yield* attempt(`lock the data folder ${folder}`, () => tryLock(path, identity))
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
const tryLock = (path: string, identity: string): Owner | undefined => {
  const candidate = `${path}.${process.pid}.${crypto.randomUUID()}`
  writeFileSync(candidate, JSON.stringify({ pid: process.pid, identity }), { mode: 0o600 })
  try {
    linkSync(candidate, path)
    return undefined
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    return readOwner(path)
  } finally {
    rmSync(candidate, { force: true })
  }
}

const readOwner = (path: string): Owner => {
  try {
    const lock: unknown = JSON.parse(readFileSync(path, "utf8"))
    if (!Predicate.isObject(lock) || !("pid" in lock) || !Predicate.isNumber(lock.pid)) return nobody
    const isAlive = "identity" in lock && lock.identity === identifyProcess(lock.pid)
    return { pid: lock.pid, isAlive }
  } catch {
    return nobody
  }
}

const nobody: Owner = { pid: 0, isAlive: false }

/** Two may find the same stale lock: whoever by then moves away a living one puts it back. */
const removeStale = (path: string) => {
  const aside = `${path}.stale.${process.pid}.${crypto.randomUUID()}`
  try {
    renameSync(path, aside)
    if (readOwner(aside).isAlive) linkSync(aside, path)
  } catch (cause) {
    if (!["ENOENT", "EEXIST"].includes((cause as NodeJS.ErrnoException).code ?? "")) throw cause
  } finally {
    rmSync(aside, { force: true })
  }
}

const releaseLock = (path: string) => {
  if (readOwner(path).pid === process.pid) rmSync(path, { force: true })
}
