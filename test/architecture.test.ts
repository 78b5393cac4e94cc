/** The shape of the code itself: who may import whom, how long a file may get, who reads the environment. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { dirname, normalize } from "node:path"

/** Each area, and the areas it may import. Read top to bottom: nobody looks up. */
const mayImport: Record<string, ReadonlyArray<string>> = {
  main: ["cli", "program"],
  build: ["dashboard", "program"],
  cli: [
    "threads",
    "http",
    "dashboard",
    "alerts",
    "accounts",
    "ledger",
    "storage",
    "domain",
    "config",
    "telemetry"
  ],
  threads: [
    "http",
    "gateway",
    "ledger",
    "compute",
    "upstream",
    "outgoing",
    "domain",
    "config",
    "telemetry",
    "collections",
    "program"
  ],
  dashboard: [
    "alerts",
    "invoices",
    "accounts",
    "storage",
    "outgoing",
    "domain",
    "config",
    "telemetry",
    "sockets",
    "program"
  ],
  http: ["gateway", "ledger", "compute", "domain", "config", "telemetry", "collections", "sockets"],
  gateway: ["ledger", "upstream", "compute", "formats", "tokens", "domain", "config", "telemetry"],
  simulator: ["formats", "domain", "sockets", "collections"],
  alerts: ["accounts", "outgoing", "storage", "domain", "config"],
  invoices: ["outgoing", "storage", "domain", "config"],
  accounts: ["ledger", "outgoing", "storage", "domain", "config"],
  ledger: ["actors", "storage", "domain", "telemetry", "collections"],
  upstream: ["outgoing", "formats", "domain", "config", "telemetry", "collections"],
  compute: ["formats", "tokens", "domain", "telemetry", "program"],
  actors: ["storage", "domain"],
  storage: ["outgoing", "domain", "config", "collections"],
  tokens: ["formats", "domain"],
  formats: ["collections", "domain"],
  telemetry: ["outgoing", "config", "domain"],
  outgoing: ["config"],
  config: ["domain"],
  domain: [],
  sockets: [],
  program: [],
  collections: []
}

const files = globSync("src/**/*.ts", { exclude: (path) => path.includes("dashboard/web") })
const areaOf = (path: string) => normalize(path).split("/")[1]!.replace(/\.ts$/, "")
const importsOf = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import) ?\(?"(\.[^"]+)"/g)]
    .map(([, path]) => normalize(`${dirname(file)}/${path}`))
    .filter((path) => /\.tsx?$/.test(path))

const isInside = (folder: string, other: string) => `${other}/`.startsWith(`${folder}/`)

/** Something that needs itself, by the way it does. */
const circle = (needs: ReadonlyMap<string, ReadonlyArray<string>>): string | undefined => {
  const done = new Set<string>()
  const visit = (name: string, way: ReadonlyArray<string>): string | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name].join(" → ")
    if (done.has(name)) return undefined
    const found = (needs.get(name) ?? []).map((next) => visit(next, [...way, name])).find(isText)
    done.add(name)
    return found
  }
  return [...needs.keys()].map((name) => visit(name, [])).find(isText)
}
const isText = (found: string | undefined): found is string => found !== undefined

/** What is imported as types alone, of which nothing is left in what runs. */
const typesOf = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/import type [^;"]*from "(\.[^"]+)"/g)].map(([, path]) =>
    normalize(`${dirname(file)}/${path}`)
  )

describe("architecture", () => {
  it.each(files)("%s imports only from the areas below it", (file) => {
    const area = areaOf(file)
    for (const imported of importsOf(file)) {
      assert.match(imported, /^src\//, `${area} must not import what is beside the program`)
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
    const types = typesOf(file)
    for (const imported of importsOf(file).filter((path) => !types.includes(path)))
      assert.match(imported, /^src\/(dashboard\/web|domain)\//, file)
    // Its types make the pages' client; its code, and with it a library of schemas, stays with the server.
    for (const imported of types) assert.match(imported, /^src\/(dashboard\/(web|definition)|domain)\//, file)
  })

  const exclude = (path: string) => path.includes("node_modules")
  const others = globSync("{src/dashboard/web,workers,test,bench}/**/*.{ts,tsx}", { exclude })
  it.each([...files, ...others])("%s fits in 300 lines", (file) => {
    assert.isAtMost(readFileSync(file, "utf8").split("\n").length, 300)
  })

  it("names no import between areas that nobody makes", () => {
    const made = new Set(
      files.flatMap((file) => importsOf(file).map((path) => `${areaOf(file)} → ${areaOf(path)}`))
    )
    const named = Object.entries(mayImport).flatMap(([area, below]) => below.map((to) => `${area} → ${to}`))
    assert.deepStrictEqual(
      named.filter((edge) => !made.has(edge)),
      []
    )
  })

  it("has no two files that need each other", () => {
    const sources = [...files, ...globSync("{src/dashboard/web,workers,bench}/**/*.{ts,tsx}", { exclude })]
    assert.isUndefined(circle(new Map(sources.map((file) => [file, importsOf(file)]))))
  })

  it("has no two folders that need each other, but one and those inside it", () => {
    const needs = new Map<string, Array<string>>()
    for (const file of [...files, ...pages]) {
      const folder = dirname(file)
      const others = importsOf(file).map((path) => dirname(path))
      const apart = others.filter((other) => !isInside(folder, other) && !isInside(other, folder))
      needs.set(folder, [...(needs.get(folder) ?? []), ...apart])
    }
    assert.isUndefined(circle(needs))
  })

  it("has no file that nothing leads to", () => {
    const entries = [
      "src/main.ts",
      "src/build.ts",
      "src/dashboard/web/main.tsx",
      "src/dashboard/web/vite.config.ts",
      ...globSync("workers/*.ts")
    ]
    const reached = new Set<string>()
    const reach = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const path of importsOf(file)) reach(path)
    }
    for (const entry of entries) reach(entry)
    assert.deepStrictEqual(
      [...files, ...pages].filter((file) => !reached.has(file)),
      []
    )
  })

  it("exports no value that no other file names", () => {
    const texts = [...files, ...others].map((file) => [file, readFileSync(file, "utf8")] as const)
    const named = new Map<string, number>()
    for (const [, text] of texts)
      for (const name of new Set(text.match(/\w+/g))) named.set(name, (named.get(name) ?? 0) + 1)
    const lonely = texts
      .filter(([file]) => file.startsWith("src/"))
      .flatMap(([file, text]) =>
        [...text.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => `${file} ${name}`)
      )
      .filter((value) => named.get(value.split(" ")[1]!) === 1)
    assert.deepStrictEqual(lonely, [])
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
    // What the threads of Node itself are told goes through it, too, and npm tells there where it is.
    const allowed = new Set(["src/config.ts", "src/program/add-native-parts.ts", "src/program/entries.ts"])
    const readers = files.filter(
      (file) => !allowed.has(file) && readFileSync(file, "utf8").includes("process.env")
    )
    assert.deepStrictEqual(readers, [])
  })

  it("works in folders whose names have spaces and letters of any alphabet", () => {
    // The path of a URL is not that of its file.
    const all = [
      ...files,
      ...globSync("{workers,test,bench}/**/*.ts", { exclude: (path) => path.includes("node_modules") })
    ]
    const mistaken = all.filter((file) => /import\.meta\.url\)\.pathname/.test(readFileSync(file, "utf8")))
    assert.deepStrictEqual(mistaken, [])
  })

  it("runs effects with the program's own services, its logger among them, but where a thread begins", () => {
    const bare = files.filter((file) => /\bEffect\.run(?!\w*With\b)\w*\(/.test(readFileSync(file, "utf8")))
    assert.deepStrictEqual(bare, ["src/threads/gateway-thread.ts"])
  })

  it("touches requests and responses of uWebSockets.js in http, for strangers, and in sockets, for all others", () => {
    const touching = files
      .filter((file) => !/^src\/(http|sockets)\//.test(file))
      .map((file) => [file, readFileSync(file, "utf8")] as const)
      .filter(([, text]) => text.includes('from "uWebSockets.js"') && /\bHttpRe(quest|sponse)\b/.test(text))
      .map(([file]) => file)
    assert.deepStrictEqual(touching, [])
  })

  it("opens connections to databases in one place alone, which outlives their end", () => {
    const openers = files.filter((file) => /^import postgres from/m.test(readFileSync(file, "utf8")))
    assert.deepStrictEqual(openers, ["src/storage/postgres/Connection.ts"])
  })
})
