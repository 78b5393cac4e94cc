import { assert, describe, it } from "@effect/vitest"
import { freeBytes, shareBytes } from "../../src/compute/share-bytes.ts"

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
