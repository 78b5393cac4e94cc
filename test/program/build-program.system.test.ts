/** The program built beside its sources, in a copy of them: which of both runs, and that it works wherever it lies. */
import { execFile } from "node:child_process"
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const project = fileURLToPath(new URL("../..", import.meta.url))

let folder: string
let copy: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-build-"))
  copy = join(folder, "first")
  const filter = (path: string) => basename(path) !== "web"
  for (const name of ["src", "workers", "package.json", "package-lock.json"])
    cpSync(join(project, name), join(copy, name), { recursive: true, filter })
  symlinkSync(join(project, "node_modules"), join(copy, "node_modules"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const node = async (...args: ReadonlyArray<string>) => {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: copy, env })
  return stdout.trim()
}
const evaluate = (code: string) => node("--input-type=module", "--eval", code)
const moduleIn = (path: string) => JSON.stringify(pathToFileURL(join(copy, path)).href)

const build = () =>
  evaluate(
    `const { ensureProgramBuilt } = await import(${moduleIn("src/program/build-program.ts")}); await ensureProgramBuilt()`
  )
/** From the project's folder, the module that the program begins with. */
const entry = async () => {
  const href = await evaluate(
    `const { programEntry } = await import(${moduleIn("src/program/entries.ts")}); console.log(programEntry().href)`
  )
  return href.slice(pathToFileURL(`${copy}/`).href.length)
}
const builds = () => readdirSync(join(copy, "dist/program")).sort()
const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
  readonly version: string
}
const assertRuns = async () => assert.include(await node("src/main.ts", "--version"), version)

describe("the built program", () => {
  it("runs in place of the sources it was built of, and of no others", async () => {
    assert.strictEqual(await entry(), "src/cli/run.ts")
    await build()
    const [first] = builds()
    assert.strictEqual(await entry(), `dist/program/${first}/cli.mjs`)
    await assertRuns()

    const change = () => appendFileSync(join(copy, "src/cli/run.ts"), "\n// changed\n")
    change()
    assert.strictEqual(await entry(), "src/cli/run.ts")
    await assertRuns()
    await build()
    assert.lengthOf(builds(), 2, "a process that runs may still need the former")
    assert.notStrictEqual(await entry(), `dist/program/${first}/cli.mjs`)
    change()
    await build()
    assert.lengthOf(builds(), 2)
    assert.notInclude(builds(), first)
  })

  it("is built once for the same sources, also by two at once", async () => {
    const before = builds()
    await Promise.all([build(), build()])
    assert.deepStrictEqual(builds(), before)
    rmSync(join(copy, "dist"), { recursive: true })
    await Promise.all([build(), build()])
    assert.lengthOf(builds(), 1)
  })

  it("keeps what was compiled of it for the next start, where it may", async () => {
    const [built] = builds()
    const compiled = join(copy, "dist/program", built!, "compiled")
    rmSync(compiled, { recursive: true, force: true })
    await assertRuns()
    assert.isNotEmpty(readdirSync(compiled))
    rmSync(compiled, { recursive: true })
    writeFileSync(compiled, "in its place")
    await assertRuns()
    rmSync(compiled)
  })

  it("finds what lies beside its sources, also when its folder was moved", async () => {
    const moved = join(folder, "second")
    renameSync(copy, moved)
    copy = moved
    assert.match(await entry(), /^dist\/program\/[0-9a-f]{16}\/cli\.mjs$/)
    await assertRuns()
    // The catalogue that is shipped, migrations, and the threads' own files.
    const [built] = builds()
    const files = readdirSync(join(copy, "dist/program", built!)).filter((name) => name.endsWith(".mjs"))
    const text = files
      .map((name) => readFileSync(join(copy, "dist/program", built!, name), "utf8"))
      .join("\n")
    assert.notInclude(text, folder)
    for (const name of ["cli", "gateway", "dashboard", "codec", "simulator"])
      assert.include(files, `${name}.mjs`)
    const asked = [...text.matchAll(/new URL\("(\.\.\/\.\.\/\.\.\/[^"]+)", import\.meta\.url\)/g)]
    assert.isNotEmpty(asked)
    for (const [, path] of asked)
      assert.doesNotThrow(() =>
        readFileSync(new URL(path!, pathToFileURL(join(copy, "dist/program", built!, "x"))))
      )
  })
})
