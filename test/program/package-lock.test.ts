/** `package-lock.json` is whole: npm 11 refuses an incomplete one, npm 10 does not, and whoever installs may have either. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** What stands in the lock, by the folder it is installed in; the project itself under `""`. */
type Lock = Readonly<Record<string, Locked>>

/** The folders in which Node looks for what `folder` imports, from the inside out. */
const foldersFrom = (folder: string): ReadonlyArray<string> => {
  if (folder === "") return ["node_modules"]
  const outer = folder.lastIndexOf("/node_modules/")
  const above = outer === -1 ? "" : folder.slice(0, outer)
  return [`${folder}/node_modules`, ...foldersFrom(above)]
}

/** What a package of the lock depends on and the lock does not hold, as `from -> name`. */
const lackingIn = (lock: Lock): ReadonlyArray<string> =>
  Object.entries(lock).flatMap(([folder, locked]) =>
    Object.keys({
      ...locked.dependencies,
      ...locked.devDependencies,
      ...locked.optionalDependencies
    })
      .filter((name) => !foldersFrom(folder).some((at) => `${at}/${name}` in lock))
      .map((name) => `${folder || "tollgate"} -> ${name}`)
  )

describe("package-lock.json", () => {
  const { packages: lock } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    readonly packages: Lock
  }

  it("holds every package that one of it depends on, those of other platforms too", () => {
    assert.deepStrictEqual(lackingIn(lock), [])
  })

  it("is seen to lack one when it does", () => {
    const { "node_modules/fsevents": _, ...without } = lock
    assert.include(lackingIn(without), "node_modules/vite -> fsevents")
  })
})
