import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { addNativeParts } from "../../src/program/add-native-parts.ts"

let folder: string
let npm: string
const place = (path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true })
  writeFileSync(join(folder, path), text)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-native-"))
  npm = join(folder, "npm.cjs")
  place("npm.cjs", `require("fs").writeFileSync("asked", process.argv.slice(2).join(" "))`)
  const optionalDependencies = { "@rolldown/binding-one": "1.0.0", "@rolldown/binding-other": "1.0.0" }
  place("node_modules/rolldown/package.json", JSON.stringify({ optionalDependencies }))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("native parts that npm left out", () => {
  it("are asked of npm again, whatever else is installed", () => {
    addNativeParts(folder, npm)
    assert.include(readFileSync(join(folder, "asked"), "utf8"), "install --no-save --ignore-scripts")
  })

  it("are not where there is one for this machine", () => {
    place("node_modules/@rolldown/binding-other/package.json", "{}")
    addNativeParts(folder, npm)
    assert.throws(() => readFileSync(join(folder, "asked")))
  })

  it("fail the installation where npm can not add them", () => {
    place("npm.cjs", "process.exit(1)")
    assert.throws(() => addNativeParts(folder, npm))
  })
})
