/** Some thousand schedules; `run.ts` tries as many as one likes. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

const schedules = 2_000
const firstSeed = 1
/** Beside much else several minutes are not enough; only what hangs is to end. */
const timeoutMs = 30 * 60_000
const script = fileURLToPath(new URL("run.ts", import.meta.url))

describe("nodes on one database, in many schedules", () => {
  it(
    "keep what must hold of money",
    async () => {
      // A process of its own: in vitest a schedule takes 8 % more of the processor's time.
      const child = spawn(process.execPath, [script, String(schedules), String(firstSeed)], {
        stdio: ["ignore", "pipe", "inherit"],
        timeout: timeoutMs
      })
      const [said, [code]] = await Promise.all([text(child.stdout), once(child, "close")])
      assert.strictEqual(code, 0, said.slice(-8_000))
      assert.include(said, `${schedules} schedules from seed ${firstSeed} in `)
    },
    timeoutMs
  )
})
