import { assert, describe, it } from "@effect/vitest"
import { on, once } from "node:events"
import { Worker } from "node:worker_threads"

describe("a thread", () => {
  it("gives back what it has no use for", async () => {
    const worker = new Worker(new URL("./grow-and-give-back.ts", import.meta.url))
    const [{ after, before }] = (await once(worker, "message")) as [{ before: number; after: number }]
    assert.isBelow(after, before / 2)
    await worker.terminate()
  })

  it("gives back at rest what a rush took, though nobody has collected that", async () => {
    const worker = new Worker(new URL("./rush-and-rest.ts", import.meta.url))
    const told: Array<number> = []
    // Within some looks: V8 itself collects after a hundred of them.
    for await (const [taken] of on(worker, "message")) if (told.push(taken as number) > 20) break
    await worker.terminate()
    assert.isBelow(Math.min(...told), told[0]! / 2)
  })
})
