/** What of a call's way is kept with its row. */
import { assert, describe, it } from "@effect/vitest"
import { noExtras } from "../../src/domain/call.ts"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import { Call, type Charge } from "../../src/gateway/Call.ts"
import type { Client } from "../../src/gateway/Client.ts"
import { CallTrace } from "../../src/telemetry/CallTrace.ts"
import { modelNamed } from "../catalogue.ts"
import type { UpstreamAttempt } from "../../src/upstream/UpstreamCall.ts"

type Outcome = UpstreamAttempt["outcome"]

describe("the route of a call's row", () => {
  it.each<[what: string, outcomes: ReadonlyArray<Outcome>, route: string]>([
    ["none where none was tried", [], ""],
    ["the only one", [200], "r0"],
    ["the one that answered after others refused", [429, 200], "r1"],
    ["the first where a second try was begun in vain", [200, "left"], "r0"],
    ["the second where the first stayed silent", ["left", 200], "r1"],
    ["the one that broke off where a second try was begun in vain", ["broken", "left"], "r0"],
    ["the last where none answered well", [503, "connect"], "r1"]
  ])("is %s", (_, outcomes, route) => {
    const identity = { accountId: "acc" as AccountId, keyId: "key" as KeyId, secret: 0 }
    const call = new Call({} as Client, "messages", 0).identify(identity)
    call.attempts.push(...outcomes.map((outcome, index) => ({ route: `r${index}`, outcome, ms: 1 })))
    assert.strictEqual(call.uncharged(502, "api_error", 1).extras.route, route)
  })
})

describe("the span of an attempt", () => {
  it("begins by the clock of its call, which need not be the machine's", () => {
    const call = new Call({} as Client, "messages", 5_000)
    call.trace = new CallTrace("a".repeat(32), undefined)
    call.nextTraceParent({ id: "r0", baseUrl: "https://models.example", apiKey: "", priority: 0, weight: 1 })
    assert.isAtLeast(call.trace.attempts[0]!.startedMs, 5_000)
    assert.isBelow(call.trace.attempts[0]!.startedMs, 65_000)
  })
})

describe("the row of a call", () => {
  const identity = { accountId: "acc" as AccountId, keyId: "key" as KeyId, secret: 0 }
  const begin = (id: string) => {
    const call = new Call({} as Client, "messages", 5).identify(identity)
    call.modelRequested = `a\u0000b\n${"x".repeat(300)}`
    return call.resolve({ model: modelNamed(id), mappedFrom: undefined }, { models: [], withdrawn: [] })
  }
  const charge: Charge = { usage: { inputTokens: 7, outputTokens: 3 }, units: 4, estimated: true }
  const extras = { ...noExtras, cacheReadTokens: 2 }

  it.each([
    ["claude-sonnet-5", { perMtokVnd: 6_500, perRequestVnd: null }],
    ["req/claude-sonnet-5", { perMtokVnd: null, perRequestVnd: 900 }]
  ])("of %s tells what was charged and at what price", (id, price) => {
    const call = begin(id)
    const attempt = { route: "r0", outcome: 429, ms: 1 }
    call.attempts.push(attempt)
    const { latencyMs, ...row } = call.charged(charge, { cost: 9n, extras }, 200, "", call.begunMs + 8)
    assert.deepStrictEqual(row, {
      callId: call.id,
      atMs: 5,
      accountId: identity.accountId,
      keyId: identity.keyId,
      endpoint: "messages",
      // What the database and a log line can hold of it.
      modelRequested: `ab${"x".repeat(196)}`,
      model: id,
      stream: false,
      status: 200,
      errorType: "",
      inputTokens: 7,
      outputTokens: 3,
      units: 4,
      estimated: true,
      ...price,
      cost: 9n,
      firstByteMs: null,
      storedIdHash: null,
      storedItemHashes: [],
      extras: { ...extras, route: "r0", attempts: [] }
    })
    assert.approximately(latencyMs, 8, 0.001)
    assert.isTrue(call.recorded)
  })

  it("that costs nothing counts nothing, and tells all its attempts where there were several", () => {
    const call = begin("claude-sonnet-5")
    call.stream = true
    call.noteFirstByte(call.begunMs + 3)
    const attempts = ["r0", "r1"].map((route) => ({ route, outcome: 503, ms: 1 }))
    call.attempts.push(...attempts)
    const row = call.uncharged(502, "api_error", call.begunMs)
    assert.deepInclude(row, {
      status: 502,
      errorType: "api_error",
      stream: true,
      cost: 0n,
      perMtokVnd: 6_500
    })
    assert.deepInclude(row, { inputTokens: 0, outputTokens: 0, units: 1, estimated: false })
    assert.deepStrictEqual(row.extras, { ...noExtras, route: "r1", attempts })
    assert.approximately(row.firstByteMs!, 3, 0.001)
  })

  it.each([
    [502, 1],
    [429, 0]
  ])(
    "that fails with %i tells %i attempt of one: how the provider failed stands nowhere else",
    (status, told) => {
      const call = begin("claude-sonnet-5")
      call.attempts.push({ route: "r0", outcome: "broken", ms: 1 })
      assert.lengthOf(call.uncharged(status, "api_error", call.begunMs).extras.attempts, told)
    }
  )
})
