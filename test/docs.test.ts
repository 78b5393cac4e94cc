/** What the pages point to is there. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { alertKinds } from "../src/domain/alert-kinds.ts"

/** What others wrote lies there where packages of the bench are installed. */
const isOurs = (page: string) => !page.includes("node_modules")
const pages = globSync(["*.md", "docs/**/*.md", "{bench,test}/**/*.md"]).filter(isOurs)

const linksOf = (page: string) =>
  [...readFileSync(page, "utf8").matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^(https?|mailto):/.test(link))

/** Files of ours, by their last folders. */
const namedOn = (page: string) =>
  [...readFileSync(page, "utf8").matchAll(/`((?:[a-z][\w-]*\/)+[\w.-]+\.(?:tsx?|sql|json))`/g)].map(
    ([, path]) => path!
  )

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const anchorsOf = (page: string) =>
  [...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))

describe("docs", () => {
  it.each(pages)("%s links to what is there", (page) => {
    for (const link of linksOf(page)) {
      const [path, anchor] = link.split("#")
      const target = path === "" ? page : join(dirname(page), path!)
      assert.isTrue(existsSync(target), `${page} links to ${link}`)
      if (anchor !== undefined) assert.include(anchorsOf(target), anchor, `${page} links to ${link}`)
    }
  })

  const files = globSync("{src,test,bench,workers,docs}/**/*.*")

  it.each(pages)("%s speaks of files that are there", (page) => {
    for (const path of namedOn(page)) {
      const isThere = files.some((file) => `/${file}`.endsWith(`/${path}`))
      assert.isTrue(isThere, `${page} speaks of ${path}`)
    }
  })

  const map = readFileSync("docs/where.md", "utf8")
  const cells = [...map.matchAll(/\]\(\.\.\/([^)]+)\)((?:,? `[^`]+`)*)/g)]
  const named = cells.flatMap(([, path, names]) =>
    [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => [path!, name!] as const)
  )

  it.each(named)("%s holds `%s`, as where.md says", (path, name) => {
    assert.include(readFileSync(path, "utf8"), name)
  })

  it.each(alertKinds)("tell in webhooks.md of %s", (kind) => {
    assert.include(readFileSync("docs/webhooks.md", "utf8"), `\`${kind}\``)
  })

  it("tell in the README of each variable that is read", () => {
    const names = globSync("src/config/*.ts").flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"/g)].map(([, name]) => name!)
    )
    // What tests alone set, and what stands there as "both also with".
    const told = names.filter((name) => !/^TOLLGATE_TEST_|_OTLP_TRACES_/.test(name))
    const readme = readFileSync("README.md", "utf8")
    assert.include(names, "MISTRAL_API_KEY")
    for (const name of told) assert.include(readme, name)
  })

  it("shows in style.md code that is there", () => {
    const packed = (text: string) => text.replaceAll(/\s+/g, "")
    const examples = [...readFileSync("docs/style.md", "utf8").matchAll(/^```\w+\n([^]*?)^```/gm)]
    const sources = globSync("src/**/*.{ts,tsx,sql}").map((file) => packed(readFileSync(file, "utf8")))
    assert.isNotEmpty(examples)
    for (const [, example] of examples)
      assert.isTrue(
        sources.some((source) => source.includes(packed(example!))),
        example
      )
  })

  it("tells in packages.md of each package that the program needs", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"))
    const page = readFileSync("docs/decisions/packages.md", "utf8")
    assert.deepStrictEqual(
      Object.keys(dependencies).filter((name) => !page.includes(`\`${name}\``)),
      []
    )
  })

  it("names the migration that has the last word on a function", () => {
    const migrations = globSync("src/storage/migrations/*.sql").toSorted()
    for (const [path, name] of named.filter(([path]) => path.endsWith(".sql"))) {
      const last = migrations.findLast((each) => readFileSync(each, "utf8").includes(`function ${name}(`))
      assert.strictEqual(path, last)
    }
  })
})
