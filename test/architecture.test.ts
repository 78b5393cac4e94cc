/** The shape of the code itself: who may import whom, how long a file may get, who reads the environment. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { dirname, normalize } from "node:path"

/** Each area, and the areas it may import. Read top to bottom: nobody looks up. */
const mayImport: Record<string, ReadonlyArray<string>> = {
  main: ["cli", "config"],
  cli: [
    "threads",
    "http",
    "dashboard",
    "gateway",
    "accounts",
    "ledger",
    "upstream",
    "simulator",
    "storage",
    "domain",
    "config",
    "telemetry"
  ],
  threads: ["http", "gateway", "ledger", "compute", "upstream", "outgoing", "domain", "config", "telemetry"],
  dashboard: [
    "accounts",
    "ledger",
    "storage",
    "upstream",
    "outgoing",
    "domain",
    "config",
    "telemetry",
    "sockets"
  ],
  http: [
    "gateway",
    "accounts",
    "ledger",
    "upstream",
    "compute",
    "formats",
    "domain",
    "config",
    "telemetry",
    "collections",
    "sockets"
  ],
  gateway: ["ledger", "upstream", "compute", "formats", "tokens", "domain", "config", "telemetry"],
  simulator: ["formats", "tokens", "domain", "sockets", "collections"],
  accounts: ["ledger", "outgoing", "storage", "domain", "config", "telemetry"],
  ledger: ["actors", "storage", "domain", "config", "telemetry", "collections"],
  upstream: ["outgoing", "formats", "domain", "config", "telemetry", "collections"],
  compute: ["formats", "tokens", "domain", "config", "telemetry"],
  actors: ["storage", "domain", "config", "telemetry"],
  storage: ["domain", "config", "telemetry"],
  tokens: ["formats", "domain"],
  formats: ["domain"],
  telemetry: ["outgoing", "config", "domain"],
  outgoing: ["config"],
  config: ["domain"],
  domain: [],
  sockets: [],
  collections: []
}

const files = globSync("src/**/*.ts", { exclude: (path) => path.includes("dashboard/web") })
const areaOf = (path: string) => normalize(path).split("/")[1]!.replace(/\.ts$/, "")
const importsOf = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import) "(\.[^"]+)"/g)].map(([, path]) =>
    normalize(`${dirname(file)}/${path}`)
  )

describe("architecture", () => {
  it.each(files)("%s imports only from the areas below it", (file) => {
    const area = areaOf(file)
    for (const imported of importsOf(file).filter((path) => path.startsWith("src/"))) {
      const target = areaOf(imported)
      assert.isTrue(
        target === area || mayImport[area]!.includes(target),
        `${area} must not import ${target} (${imported})`
      )
      assert.notMatch(imported, /^src\/dashboard\/web\//)
    }
  })

  const pages = globSync("src/dashboard/web/**/*.{ts,tsx}")
  it.each(pages)("%s imports of the program only what is pure", (file) => {
    for (const imported of importsOf(file)) assert.match(imported, /^src\/(dashboard\/web|domain)\//, file)
  })

  const exclude = (path: string) => path.includes("node_modules")
  const others = globSync("{src/dashboard/web,workers,test,bench}/**/*.{ts,tsx}", { exclude })
  it.each([...files, ...others])("%s fits in 300 lines", (file) => {
    assert.isAtMost(readFileSync(file, "utf8").split("\n").length, 300)
  })

  it("has no two files that need each other", () => {
    const sources = [...files, ...globSync("{src/dashboard/web,workers,bench}/**/*.{ts,tsx}", { exclude })]
    const needs = new Map(sources.map((file) => [file, importsOf(file)]))
    const done = new Set<string>()
    const visit = (file: string, path: ReadonlyArray<string>): void => {
      assert.notInclude(path, file, [...path, file].join(" → "))
      if (done.has(file)) return
      for (const imported of needs.get(file) ?? []) visit(imported, [...path, file])
      done.add(file)
    }
    for (const file of sources) visit(file, [])
  })

  it("has no two folders of wire formats that need each other", () => {
    const needs = new Map<string, Set<string>>()
    for (const file of files.filter((path) => path.startsWith("src/formats/"))) {
      const folder = dirname(file)
      const others = importsOf(file).map((path) => dirname(path))
      needs.set(
        folder,
        new Set([...(needs.get(folder) ?? []), ...others.filter((other) => other !== folder)])
      )
    }
    const done = new Set<string>()
    const visit = (folder: string, path: ReadonlyArray<string>): void => {
      assert.notInclude(path, folder, [...path, folder].join(" → "))
      if (done.has(folder)) return
      for (const other of needs.get(folder) ?? []) visit(other, [...path, folder])
      done.add(folder)
    }
    for (const folder of needs.keys()) visit(folder, [])
  })

  it("branches on an endpoint or a protocol in no file: the tables of formats say what depends on them", () => {
    const names =
      "messages|chat_completions|responses|invoke|converse|images|speech|count_tokens|images_\\w+|audio_speech"
    const branch = new RegExp(
      `(?:[!=]== |case |includes\\(|has\\()"(?:${names})"` +
        '|\\b(?:endpoint|protocol) [!=]== (?!undefined|"https?:)|switch \\((?:[\\w.]+\\.)?(?:endpoint|protocol)\\)'
    )
    // The catalogue's records say which protocols there are; the simulator is other people's servers.
    const branching = files
      .filter((file) => !/^src\/(domain\/catalogue|config\/|dashboard\/|simulator\/)/.test(file))
      .filter((file) => branch.test(readFileSync(file, "utf8")))
    assert.deepStrictEqual(branching, [])
  })

  it("reads the environment in config.ts alone", () => {
    const readers = files.filter(
      (file) => file !== "src/config.ts" && readFileSync(file, "utf8").includes("process.env")
    )
    assert.deepStrictEqual(readers, [])
  })

  it("runs effects with the program's own services, its logger among them, but where a thread begins", () => {
    const bare = files.filter((file) => /\bEffect\.run(?!\w*With\b)\w*\(/.test(readFileSync(file, "utf8")))
    assert.deepStrictEqual(bare, ["src/threads/gateway-thread.ts"])
  })

  it("opens connections to databases in one place alone, which outlives their end", () => {
    const openers = files.filter((file) => /^import postgres from/m.test(readFileSync(file, "utf8")))
    assert.deepStrictEqual(openers, ["src/storage/postgres/Connection.ts"])
  })
})
