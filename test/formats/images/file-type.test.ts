import { assert, describe, it } from "@effect/vitest"
import { imageMediaType } from "../../../src/formats/images/file-type.ts"
import { jpeg, png, webp } from "./picture-heads.ts"

describe("an image's kind", () => {
  it("is told by its first bytes", () => {
    assert.strictEqual(imageMediaType(png), "image/png")
    assert.strictEqual(imageMediaType(jpeg), "image/jpeg")
    for (const version of ["GIF87a", "GIF89a"])
      assert.strictEqual(imageMediaType(Buffer.from(version)), "image/gif")
    assert.strictEqual(imageMediaType(webp), "image/webp")
    for (const other of ["", "<svg/>", "RIFF1234WAVE", "%PDF-1.7", "BM"]) {
      assert.isUndefined(imageMediaType(Buffer.from(other)))
    }
  })
})
