/** Who PostgreSQL runs as: it refuses root, so that root starts it as somebody who may do less. */
import { spawnSync } from "node:child_process"
import { readFileSync, statSync } from "node:fs"

/** `undefined` where we are not root: then it runs as we do. */
export interface User {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

/** The owner of what is there already, else the machine's `postgres`, else `nobody`. */
export const chooseUser = (existingFolder: string): User | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const users = readUsers()
  const owner = statSync(existingFolder, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) {
    const name = users.find(({ uid }) => uid === owner.uid)?.name ?? String(owner.uid)
    return { uid: owner.uid, gid: owner.gid, name }
  }
  return (
    users.find(({ name }) => name === "postgres" || name === "_postgres") ??
    users.find(({ name, uid }) => name === "nobody" && uid > 0) ?? {
      uid: 65_534,
      gid: 65_534,
      name: "nobody"
    }
  )
}

/** Whether this user gets into the folder, whatever lies above it. */
export const canEnter = (user: User | undefined, folder: string): boolean => {
  const tried = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], {
    ...asUser(user),
    cwd: "/",
    stdio: "ignore"
  })
  // A machine without a shell can not be asked; PostgreSQL itself will then say what it lacks.
  return tried.error !== undefined || tried.status === 0
}

/** What makes a child process run as this user. */
export const asUser = (user: User | undefined): { readonly uid?: number; readonly gid?: number } =>
  user === undefined ? {} : { uid: user.uid, gid: user.gid }

const readUsers = (): ReadonlyArray<User> => {
  try {
    return readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .filter((fields) => /^\d+$/.test(fields[2] ?? "") && /^\d+$/.test(fields[3] ?? ""))
      .map(([name, , uid, gid]) => ({ name: name!, uid: Number(uid), gid: Number(gid) }))
  } catch {
    return []
  }
}
