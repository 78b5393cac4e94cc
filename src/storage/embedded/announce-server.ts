/** How the command line finds the database of a server that runs in the same data folder. */
import { Effect, Result, Schema } from "effect"
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { attempt } from "./EmbeddedPostgresError.ts"
import { identifyProcess } from "./identify-process.ts"

const Announcement = Schema.Struct({
  pid: Schema.Int,
  identity: Schema.String,
  databaseUrl: Schema.String
})

export interface RunningServer {
  readonly pid: number
  readonly databaseUrl: string
}

/** Says where this process has its database, until the scope closes. Only the folder's owner may read it. */
export const announceServer = Effect.fnUntraced(function* (dataDir: string, databaseUrl: string) {
  const path = join(dataDir, fileName)
  const announcement = { pid: process.pid, identity: identifyProcess(process.pid)!, databaseUrl }
  yield* Effect.acquireRelease(
    attempt(`write ${path}`, () => {
      // A new file under its final name, since an old one would keep its mode and be seen half written.
      const fresh = `${path}.${process.pid}`
      rmSync(fresh, { force: true })
      writeFileSync(fresh, JSON.stringify(announcement), { mode: 0o600 })
      renameSync(fresh, path)
    }),
    () => Effect.sync(() => rmSync(path, { force: true }))
  )
})

/** The server that lives in this folder, if one does. */
export const readRunningServer = (dataDir: string): Effect.Effect<RunningServer | undefined> =>
  Effect.sync(() => {
    const text = readIfThere(join(dataDir, fileName))
    const decoded = text === undefined ? undefined : decode(text)
    if (decoded === undefined || Result.isFailure(decoded)) return undefined
    const { pid, identity, databaseUrl } = decoded.success
    return identifyProcess(pid) === identity ? { pid, databaseUrl } : undefined
  })

const fileName = "server.json"

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Announcement))

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}
