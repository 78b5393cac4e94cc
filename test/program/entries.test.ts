/** Which frames of a stack are the program's own, where it runs from its sources and where it was built. */
import { assert, describe, it } from "@effect/vitest"
import { entryOf, isOurs, root } from "../../src/program/entries.ts"

const frameIn = (path: string) => `    at work (${root.href}${path}:10:5)`

describe("the program's entries", () => {
  it.each([
    ["src/ledger/node/Ledger.ts", true],
    ["workers/gateway.ts", true],
    ["dist/program/0123456789abcdef/gateway-thread-C3cUEesW.mjs", true],
    ["dist/program/0123456789abcdef/libraries~cli-DfH32r2o.mjs", false],
    ["node_modules/postgres/src/connection.js", false],
    ["test/until.ts", false]
  ] as const)("a frame in %s is ours: %s", (path, ours) => {
    assert.strictEqual(isOurs(frameIn(path)), ours)
  })

  it("are the sources where those run", () => {
    assert.strictEqual(entryOf("gateway").href, new URL("../../workers/gateway.ts", import.meta.url).href)
  })
})
