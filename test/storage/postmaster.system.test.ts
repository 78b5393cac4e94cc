import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(new URL("./without-descriptors.ts", import.meta.url))

describe("starting PostgreSQL when no descriptor is left", () => {
  it("fails as any start that fails, to be tried again", () => {
    const { status, stderr, stdout } = spawnSync(
      "/bin/sh",
      ["-c", 'ulimit -n 200; exec "$0" "$1"', process.execPath, script],
      { encoding: "utf8" }
    )
    assert.strictEqual(status, 0, stderr)
    assert.match(stdout, /PostgreSQL does not start: .*EMFILE/)
  })
})
