import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { Worker } from "node:worker_threads"

describe("a thread", () => {
  it("gives back what it has no use for", async () => {
    const worker = new Worker(new URL("./grow-and-give-back.ts", import.meta.url))
    const [{ after, before }] = (await once(worker, "message")) as [{ before: number; after: number }]
    assert.isBelow(after, before / 2)
    await worker.terminate()
  })
})
