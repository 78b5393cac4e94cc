/** Makes the database's files on the first start, and the password that its clients need. */
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { asUser } from "./choose-user.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import type { Programs } from "./find-programs.ts"
import type { Home } from "./place-home.ts"

export interface Cluster {
  /** PostgreSQL's data directory. */
  readonly path: string
  readonly password: string
}

export const userName = "tollgate"

export const openCluster = async (home: Home, programs: Programs): Promise<Cluster> => {
  const path = join(home.path, "cluster")
  const passwordPath = join(home.path, "password")
  if (!existsSync(path)) await createCluster(home, programs, path, passwordPath)
  checkVersion(path, programs)
  if (!existsSync(passwordPath)) {
    throw new EmbeddedPostgresError({
      reason: `${passwordPath} is gone, without which ${path} can not be opened`
    })
  }
  return { path, password: readFileSync(passwordPath, "utf8").trim() }
}

/** Under another name until it is whole, so that an interrupted first start leaves nothing to repair. */
const createCluster = async (home: Home, programs: Programs, path: string, passwordPath: string) => {
  const unfinished = `${path}.new`
  rmSync(unfinished, { recursive: true, force: true })
  writeFileSync(passwordPath, `${randomBytes(24).toString("hex")}\n`, { mode: 0o600 })
  if (home.user !== undefined) chownSync(passwordPath, home.user.uid, home.user.gid)
  await run(programs.initdb, initdbOptions(unfinished, passwordPath), {
    ...asUser(home.user),
    cwd: home.path,
    env: cleanEnvironment
  })
  renameSync(unfinished, path)
}

const run = promisify(execFile)

/** Nothing of ours: PG… variables would change what the programs do, and secrets are none of their business. */
export const cleanEnvironment = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" }

const initdbOptions = (pgdata: string, passwordPath: string): ReadonlyArray<string> => [
  `--pgdata=${pgdata}`,
  `--username=${userName}`,
  `--pwfile=${passwordPath}`,
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  // PostgreSQL's own C.UTF-8 sorts and folds the same on every machine, whatever locales that one has.
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8"
]

const checkVersion = (path: string, { version }: Programs) => {
  const ours = version.split(".")[0]
  const theirs = readFileSync(join(path, "PG_VERSION"), "utf8").trim()
  if (ours !== theirs) {
    const reason = `${path} was made by PostgreSQL ${theirs}, this program carries ${ours}; dump and restore it`
    throw new EmbeddedPostgresError({ reason })
  }
}
