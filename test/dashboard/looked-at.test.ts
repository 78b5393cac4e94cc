/** No page is left out where pages are looked at. */
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { guestPages, operatorPages, ownPages } from "../browser/every-page.ts"

const pathOf = (address: string) => address.split("?")[0]!
const looked = new Set([...guestPages, ...ownPages, ...operatorPages].map(pathOf))
const pages = readFileSync("test/browser/pages.system.test.ts", "utf8")
const app = readFileSync("src/dashboard/web/App.tsx", "utf8")
const paths = [...app.matchAll(/^ {2}"(\/[\w/-]*)":/gm)].map(([, path]) => path!)

it.each(paths)("%s is looked at", (path) => {
  // Pages of one thing want to be told of which; they are looked at by what their addresses begin with.
  const own = path.replace(/^\/operator(?=\/)/, "")
  assert.isTrue(looked.has(path) || [path, own].some((each) => pages.includes(`\`${each}?`)))
})
