/** Ids tell what they name, sort by their time, and do not repeat. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { makeAccountId, makeCallId, makeKeyId, timeOfCallId } from "../../src/domain/ids.ts"

/** Up to the year 8888, which eight base62 digits hold. */
const Times = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 218_340_105_584_895 }))

/** As PostgreSQL compares in collation "C", and as JavaScript compares strings. */
const timeOf = (id: string) => id.slice(4, 12)

describe("ids", () => {
  it.prop("are a prefix, eight characters of time and random ones, safe in URLs", [Times], ([now]) => {
    assert.match(makeAccountId(now), /^acc_[0-9A-Za-z]{18}$/)
    assert.match(makeKeyId(now), /^key_[0-9A-Za-z]{18}$/)
    assert.match(makeCallId(now), /^req_[0-9A-Za-z]{22}$/)
  })

  it.prop("sort by their time", [Times, Times], ([one, other]) => {
    const [earlier, later] = [timeOf(makeCallId(one)), timeOf(makeCallId(other))]
    assert.strictEqual(Math.sign(one - other), earlier < later ? -1 : earlier > later ? 1 : 0)
  })

  it.prop("of calls tell when they began", [Times], ([now]) => {
    assert.strictEqual(timeOfCallId(makeCallId(now)), now)
  })

  it.each(["", "req_", "req_short", makeKeyId(1), `${makeCallId(1)}0`, "req_0VbiHEk9-00000000003dac"])(
    "are none of a call where they are %s",
    (id) => {
      assert.isUndefined(timeOfCallId(id))
    }
  )

  it("of calls of one millisecond sort in the order in which they began", () => {
    const ids = Array.from({ length: 62 * 62 }, () => makeCallId(1_700_000_000_000))
    assert.deepStrictEqual(ids.toSorted(), ids)
  })

  it("of one millisecond differ", () => {
    const ids = Array.from({ length: 10_000 }, () => makeCallId(1_800_000_000_000))
    assert.strictEqual(new Set(ids).size, ids.length)
  })
})
