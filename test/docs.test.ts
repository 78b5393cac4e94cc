/** What the pages point to is there. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const pages = [...globSync("*.md"), ...globSync("docs/**/*.md"), ...globSync("{bench,test}/**/*.md")]

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

  it("names the migration that has the last word on a function", () => {
    const migrations = globSync("src/storage/migrations/*.sql").toSorted()
    for (const [path, name] of named.filter(([path]) => path.endsWith(".sql"))) {
      const last = migrations.findLast((each) => readFileSync(each, "utf8").includes(`function ${name}(`))
      assert.strictEqual(path, last)
    }
  })
})
