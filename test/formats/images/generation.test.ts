import { assert, describe, it } from "@effect/vitest"
import { imagesAsked } from "../../../src/formats/images/generation.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { refusedField } from "../refused-field.ts"

describe("an image generation", () => {
  it("asks for one image unless it says how many", () => {
    assert.strictEqual(imagesAsked({ prompt: "a cat" }), 1)
    assert.strictEqual(imagesAsked({ prompt: "a cat", n: 3, size: "1024x1536" }), 3)
    assert.strictEqual(imagesAsked({ prompt: "a cat", n: null, size: null }), 1)
    for (const n of [1, 10]) assert.strictEqual(imagesAsked({ prompt: "a cat", n }), n)
  })

  it.each([
    [{}, "prompt"],
    [{ prompt: "  " }, "prompt"],
    [{ prompt: 5 }, "prompt"],
    [{ prompt: "a", n: 0 }, "n"],
    [{ prompt: "a", n: 1.5 }, "n"],
    [{ prompt: "a", n: "2" }, "n"],
    [{ prompt: "a", n: 11 }, "n"],
    [{ prompt: "a", size: "big" }, "size"],
    [{ prompt: "a", size: "0x5" }, "size"],
    [{ prompt: "a", size: "1024×1024" }, "size"],
    [{ prompt: "a", size: "1024x1024 " }, "size"],
    [{ prompt: "a", size: 1024 }, "size"],
    [{ prompt: "a", stream: true }, "stream"],
    [{ prompt: "a", stream: "true" }, "stream"]
  ] as ReadonlyArray<[JsonObject, string]>)("%j is refused for its %s", (body, parameter) => {
    assert.strictEqual(refusedField(imagesAsked, body), parameter)
  })
})
