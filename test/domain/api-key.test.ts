/** The form of key secrets: what is made is accepted, and nothing that was mistyped is. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { crc32 } from "node:zlib"
import { generateKeySecret, isWellFormed } from "../../src/domain/api-key.ts"

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** The checksum as the contract words it, by another implementation of CRC32. */
const checksumOf = (body: string): string => {
  let rest = BigInt(crc32(body))
  let digits = ""
  for (; rest > 0n; rest /= 62n) digits = base62[Number(rest % 62n)] + digits
  return digits.padStart(6, "0")
}

const Positions = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 43 }))
const Characters = Schema.Literals([...base62])

describe("key secrets", () => {
  it("are sk-tg- and 38 base62 characters, each time others", () => {
    const secrets = Array.from({ length: 200 }, generateKeySecret)
    for (const secret of secrets) assert.match(secret, /^sk-tg-[0-9A-Za-z]{38}$/)
    assert.strictEqual(new Set(secrets).size, 200)
  })

  it("end in the CRC32 of what stands before, in six base62 digits", () => {
    for (let index = 0; index < 200; index++) {
      const secret = generateKeySecret()
      assert.strictEqual(secret.slice(38), checksumOf(secret.slice(0, 38)))
      assert.isTrue(isWellFormed(secret))
    }
  })

  it("use every character about as often as the others", () => {
    const times = new Map<string, number>()
    for (let index = 0; index < 2_000; index++) {
      for (const character of generateKeySecret().slice(6, 38))
        times.set(character, (times.get(character) ?? 0) + 1)
    }
    // 64,000 characters, 1,032 of each expected, standard deviation 32: seven of them either way.
    for (const character of base62) {
      assert.isAbove(times.get(character) ?? 0, 800, character)
      assert.isBelow(times.get(character) ?? 0, 1_260, character)
    }
  })

  it("are known from a fixed example, checksum padded with zeros", () => {
    const body = "sk-tg-0000000000000000000000000000000"
    const padded = [...base62].map((last) => body + last).find((whole) => checksumOf(whole).startsWith("0"))!
    assert.isTrue(isWellFormed(padded + checksumOf(padded)))
    assert.isFalse(isWellFormed(padded + checksumOf(padded).replace(/^0+/, "")))
    assert.isTrue(
      isWellFormed(
        "sk-tg-abcdefghijklmnopqrstuvwxyz012345" + checksumOf("sk-tg-abcdefghijklmnopqrstuvwxyz012345")
      )
    )
  })

  it.prop("with one character changed are refused", [Positions, Characters], ([position, character]) => {
    const secret = generateKeySecret()
    if (secret[position] === character) return
    assert.isFalse(isWellFormed(secret.slice(0, position) + character + secret.slice(position + 1)))
  })

  it.prop("with two neighbours exchanged are refused", [Positions], ([position]) => {
    const secret = generateKeySecret()
    if (position === 43 || secret[position] === secret[position + 1]) return
    const mistyped =
      secret.slice(0, position) + secret[position + 1] + secret[position] + secret.slice(position + 2)
    assert.isFalse(isWellFormed(mistyped))
  })

  it.prop("are not any text", [Schema.String], ([text]) => {
    assert.isFalse(isWellFormed(text))
  })

  it("are not another's secrets of the same length with the same kind of checksum", () => {
    const body = `sk-xx-${"a".repeat(32)}`
    assert.isFalse(isWellFormed(body + checksumOf(body)))
  })

  it.each([
    ["nothing", ""],
    ["the prefix alone", "sk-tg-"],
    ["another provider's key", "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"],
    ["a blank in front", ` ${generateKeySecret()}`],
    ["a line end behind", `${generateKeySecret()}\n`],
    ["the prefix in capitals", generateKeySecret().replace("sk-tg-", "SK-TG-")],
    ["letters beyond ASCII", `sk-tg-${"é".repeat(38)}`],
    ["a character that keys never have", generateKeySecret().replace(/.$/, "_")],
    ["a megabyte", "sk-tg-".padEnd(1_000_000, "a")]
  ])("are not %s", (_, text) => {
    assert.isFalse(isWellFormed(text))
  })
})
