/** No page is left out where pages are looked at. */
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const looked = readFileSync("test/browser/pages.system.test.ts", "utf8")
const app = readFileSync("src/dashboard/web/App.tsx", "utf8")
const paths = [...app.matchAll(/^ {2}"(\/[\w/-]*)":/gm)].map(([, path]) => path!)

it.each(paths)("%s is looked at", (path) => {
  // Operators' pages are named there without what all of them begin with.
  const own = path.replace(/^\/operator(?=\/)/, "")
  const named = [path, own].flatMap((each) => [`"${each}"`, `"${each}?`, `\`${each}?`])
  assert.isTrue(named.some((each) => looked.includes(each)))
})
