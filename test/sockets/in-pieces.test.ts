import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { inPieces, pieceBytesMax } from "../../src/sockets/in-pieces.ts"

const Length = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 * pieceBytesMax }))
const Character = Schema.Literals(["a", "ở", "💰", "\ud800"])

const check = (whole: Uint8Array | string) => {
  const pieces = inPieces(whole)
  const joined = Buffer.concat(pieces.map((piece) => Buffer.from(piece as Uint8Array)))
  assert.isTrue(joined.equals(Buffer.from(whole as Uint8Array)))
  for (const piece of pieces) assert.isAtMost(Buffer.byteLength(piece), pieceBytesMax)
}

describe("pieces that fit under a cork", () => {
  it.prop("of a text are that text", [Character, Length], ([character, length]) =>
    check(character.repeat(length))
  )

  it.prop("of bytes are those bytes", [Length], ([length]) =>
    check(Uint8Array.from({ length }, (_, place) => place))
  )

  it.each(["", "one", new Uint8Array(pieceBytesMax)])("are the thing itself where it is small", (small) => {
    assert.strictEqual(inPieces(small)[0], small)
  })
})
