/**
 * The folder that holds the database: `postgres` in the data folder. Where PostgreSQL's user can not get there, because
 * a folder above is closed to it, the real one lies under /var/lib/tollgate and `postgres` is a link to it.
 */
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  symlinkSync
} from "node:fs"
import { dirname, join } from "node:path"
import { asUser, canEnter, chooseUser, type User } from "./choose-user.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

export interface Home {
  /** Absolute and without links. */
  readonly path: string
  readonly user: User | undefined
  /** It does not lie in the data folder; a backup of that folder misses it. */
  readonly isElsewhere: boolean
}

export const placeHome = (dataDir: string, elsewhere = "/var/lib/tollgate"): Home => {
  const link = join(realpathSync(dataDir), "postgres")
  const existing = lstatSync(link, { throwIfNoEntry: false })
  if (existing === undefined) createHome(link, elsewhere)
  const path = followLink(link)
  const user = chooseUser(path)
  checkOwner(path, user)
  return { path, user, isElsewhere: path !== link }
}

const createHome = (link: string, elsewhere: string) => {
  const user = chooseUser(link)
  if (canEnter(user, dirname(link))) {
    mkdirSync(link, { mode: 0o700 })
    giveTo(user, link)
    return
  }
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 })
  chmodSync(elsewhere, 0o755)
  if (!canEnter(user, elsewhere)) {
    throw new EmbeddedPostgresError({
      reason: `The user ${user?.name} that PostgreSQL runs as can not enter ${dirname(link)}; set DATA_DIR to a folder it can`
    })
  }
  const real = mkdtempSync(join(elsewhere, "postgres-"))
  giveTo(user, real)
  symlinkSync(real, link)
}

const followLink = (link: string): string => {
  try {
    return realpathSync(link)
  } catch {
    throw new EmbeddedPostgresError({ reason: `The database folder that ${link} leads to is gone` })
  }
}

/** A folder that was used as root can not be used as someone else, and root mends what was copied as root. */
const checkOwner = (path: string, user: User | undefined) => {
  const { uid } = lstatSync(path)
  if (user === undefined && uid !== process.getuid?.()) {
    throw new EmbeddedPostgresError({
      reason: `The database folder ${path} belongs to another user (${uid}); start as that user or as root`
    })
  }
  if (user !== undefined && uid === 0) giveAllTo(user, path)
  if (user !== undefined && !canEnter(user, path)) {
    throw new EmbeddedPostgresError({
      reason: `The user ${user.name} that PostgreSQL runs as can not enter ${path}; set DATA_DIR to a folder it can`
    })
  }
}

const giveAllTo = (user: User, path: string) => {
  for (const name of readdirSync(path, { recursive: true, encoding: "utf8" })) {
    lchownSync(join(path, name), user.uid, user.gid)
  }
  giveTo(user, path)
}

const giveTo = (user: User | undefined, path: string) => {
  const { uid, gid } = asUser(user)
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}
