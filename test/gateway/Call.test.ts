/** What of a call's way is kept with its row. */
import { assert, describe, it } from "@effect/vitest"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import { Call } from "../../src/gateway/Call.ts"
import type { Client } from "../../src/gateway/Client.ts"
import type { UpstreamAttempt } from "../../src/upstream/UpstreamCall.ts"

type Outcome = UpstreamAttempt["outcome"]

describe("the route of a call's row", () => {
  it.each<[what: string, outcomes: ReadonlyArray<Outcome>, route: string]>([
    ["none where none was tried", [], ""],
    ["the only one", [200], "r0"],
    ["the one that answered after others refused", [429, 200], "r1"],
    ["the first where a second try was begun in vain", [200, "left"], "r0"],
    ["the second where the first stayed silent", ["left", 200], "r1"],
    ["the last where none answered well", [503, "connect"], "r1"]
  ])("is %s", (_, outcomes, route) => {
    const identity = { accountId: "acc" as AccountId, keyId: "key" as KeyId, secret: 0 }
    const call = new Call({} as Client, "messages", 0).identify(identity)
    call.attempts.push(...outcomes.map((outcome, index) => ({ route: `r${index}`, outcome, ms: 1 })))
    assert.strictEqual(call.uncharged(502, "api_error", 1).extras.route, route)
  })
})
