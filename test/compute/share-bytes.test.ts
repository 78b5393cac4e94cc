import { assert, describe, it } from "@effect/vitest"
import { freeBytes, shareableBuffer, shareBytes } from "../../src/compute/share-bytes.ts"

describe("memory that is given back", () => {
  it("is that of a large body that has it for itself", () => {
    const body = Buffer.alloc(100_000)
    freeBytes(body)
    assert.strictEqual(body.length, 0)
  })

  it("is never what others have a part in", () => {
    const memory = Buffer.alloc(200_000)
    freeBytes(memory.subarray(0, 100_000))
    const shared = Buffer.from(shareBytes(Buffer.alloc(100_000)).buffer)
    freeBytes(shared)
    assert.deepStrictEqual([memory.length, shared.length], [200_000, 100_000])
  })
})

describe("memory that threads share", () => {
  it("is collected once nobody uses it, as any other", async () => {
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    for (let turn = 0; turn < 1_000; turn++) {
      shareableBuffer(1024 * 1024)
      if (turn % 20 !== 0) continue
      await new Promise(setImmediate)
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    assert.isBelow(most, 300 * 1024 * 1024)
  })
})
