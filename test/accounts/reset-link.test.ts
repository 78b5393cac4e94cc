/** What a link by which a password is chosen is made of, and what is kept of it. */
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { hashLinkToken, makeLinkToken, resetIdentifier, resetUrl } from "../../src/accounts/reset-link.ts"

describe("a link", () => {
  it("has a token that is new each time, and leads to the page that takes it", () => {
    const [one, other] = [makeLinkToken(), makeLinkToken()]
    assert.match(one, /^[0-9a-f]{32}$/)
    assert.notStrictEqual(one, other)
    const url = new URL(resetUrl("https://tollgate.example", one))
    assert.deepStrictEqual([url.pathname, url.searchParams.get("token")], ["/dashboard/reset", one])
  })

  it("is kept by a hash of its token alone", () => {
    const hash = createHash("sha256").update("a token").digest("hex")
    assert.strictEqual(hashLinkToken("a token"), hash)
    assert.strictEqual(resetIdentifier("a token"), `reset-password:${hash}`)
  })
})
