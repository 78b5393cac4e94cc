/** Bodies come together whole, in whatever pieces, announced truly, falsely or not at all. */
import { assert, describe, it } from "@effect/vitest"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { BodyBytes } from "../../src/compute/BodyBytes.ts"
import { inPlaceBytesMax } from "../../src/compute/share-bytes.ts"
import { Random } from "../Random.ts"

const large = inPlaceBytesMax * 3

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

const memoryInUse = (): number => {
  collectGarbage()
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
}

describe("a body that arrives in pieces", () => {
  it.each([
    ["small, announced", 5_000, 5_000],
    ["small, not announced", 5_000, undefined],
    ["large, announced", large, large],
    ["large, not announced", large, undefined],
    ["larger than announced", large, inPlaceBytesMax],
    ["smaller than announced", inPlaceBytesMax, large],
    ["much smaller than announced", 10, large],
    ["empty", 0, undefined]
  ])("is whole: %s", (_, size, declared) => {
    const sent = Buffer.alloc(size)
    for (let index = 0; index < size; index++) sent[index] = (index * 7 + (index >> 8)) & 255
    for (let seed = 1; seed <= 20; seed++) {
      const random = new Random(seed)
      const body = new BodyBytes(declared)
      const most = random.pick([100, 5_000, 30_000, 1_000_000])
      for (let at = 0; at < size;) {
        const end = Math.min(size, at + random.below(most))
        const piece = sent.buffer.slice(sent.byteOffset + at, sent.byteOffset + end)
        body.add(piece)
        // The memory is used for something else right after.
        new Uint8Array(piece).fill(0)
        at = end
      }
      assert.strictEqual(body.size, size)
      assert.isTrue(body.take().equals(sent))
    }
  })

  it("takes no more memory in many pieces than in few", () => {
    const before = memoryInUse()
    const body = new BodyBytes(undefined)
    const bytes = 400_000
    for (let at = 0; at < bytes; at++) body.add(Uint8Array.of(at & 255).buffer)
    assert.isAtMost(memoryInUse() - before, 10 * bytes)
    assert.isTrue(body.take().equals(Buffer.from(Uint8Array.from({ length: bytes }, (_, at) => at & 255))))
  })

  it("is where other threads can read it when it is large, and only then", () => {
    for (const [size, isShared] of [
      [large, true],
      [1_000, false]
    ] as const) {
      for (const declared of [size, undefined]) {
        const body = new BodyBytes(declared)
        body.add(new ArrayBuffer(size))
        assert.strictEqual(body.take().buffer instanceof SharedArrayBuffer, isShared)
      }
    }
  })

  it("makes no room for what is only announced", () => {
    const body = new BodyBytes(large)
    body.add(new ArrayBuffer(100))
    assert.isFalse(body.take().buffer instanceof SharedArrayBuffer)
  })
})
