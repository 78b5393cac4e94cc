/** What strict readers of JSON refuse does not go up. */
import { assert, it } from "@effect/vitest"
import { wellFormedJson } from "../../../src/formats/json/well-formed-json.ts"

it("half of a surrogate pair becomes the replacement character, and nothing else changes", () => {
  const cut = ["cut \ud83d", "\ude00 rest", "\ud83d\ud83d\ude00", "\\ud83d", "\\\ud83d", "Huế 😀\n\u0001"]
  const whole = ["cut \ufffd", "\ufffd rest", "\ufffd😀", "\\ud83d", "\\\ufffd", "Huế 😀\n\u0001"]
  const read = JSON.parse(wellFormedJson({ cut, "\udc00": 1 })) as { readonly cut: ReadonlyArray<string> }
  assert.deepStrictEqual(read.cut, whole)
  assert.property(read, "\ufffd")
  const plain = { text: "Huế 😀 \\ud83d" }
  assert.strictEqual(wellFormedJson(plain), JSON.stringify(plain))
})
