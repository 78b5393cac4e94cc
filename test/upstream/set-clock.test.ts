/** The machine's clock is set while calls are under way: what has not really passed is not over, and what has passed is. */
import { assert } from "@effect/vitest"
import { Exit } from "effect"
import { afterEach, describe, it, vi } from "vitest"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import { Call } from "../../src/gateway/Call.ts"
import type { Client } from "../../src/gateway/Client.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"
import { endAfterEach, faultOf, providerOf, reply, routesTo, start, startStub } from "./stub-providers.ts"
import { until } from "../until.ts"

const hourMs = 3_600_000
const steps: Array<[string, number]> = [
  ["forward", hourMs],
  ["forward by a month", 30 * 24 * hourMs],
  ["back", -hourMs]
]

const setClock = (byMs: number) => {
  const realNow = Date.now
  return vi.spyOn(Date, "now").mockImplementation(() => realNow() + byMs)
}

endAfterEach()
afterEach(() => void vi.restoreAllMocks())

describe.each(steps)("a clock that is set %s", (_, byMs) => {
  it("ends no call under way", async () => {
    const slow = await startStub((socket) => void setTimeout(() => socket.end(reply(200)), 300))
    const { call } = start()
    const answered = call(providerOf(routesTo(slow.port), { idleTimeoutMs: 5_000 }))
    await until(() => slow.calls === 1)
    setClock(byMs)
    assert.isTrue(Exit.isSuccess((await answered).exit))
  })

  it("keeps no call longer than its limit", async () => {
    const mute = await startStub(() => {})
    const { call } = start()
    const answered = call(providerOf(routesTo(mute.port), { firstByteTimeoutMs: 200 }))
    await until(() => mute.calls === 1)
    setClock(byMs)
    assert.strictEqual(faultOf((await answered).exit), "timeout")
  })

  it("leaves a circuit open no longer, and says no other time to come back", async () => {
    const only = await startStub(reply(500))
    const { call, upstreams } = start()
    const provider = providerOf(routesTo(only.port))
    const asker = { account: "acc_0", model: "m" }
    for (let turn = 0; turn < 5; turn++) await call(provider, undefined, false, undefined, asker)
    setClock(byMs)
    await call(provider, undefined, false, undefined, asker)
    assert.strictEqual(only.calls, 5)
    assert.closeTo(upstreams.retryAfterSeconds(provider, asker, steadyMs()), 5, 1)
    const since = performance.now()
    vi.spyOn(performance, "now").mockReturnValue(since + 6_000)
    await call(provider, undefined, false, undefined, asker)
    assert.strictEqual(only.calls, 6)
  })

  it("changes nothing of how long a call is said to have taken", () => {
    const identity = { accountId: "acc" as AccountId, keyId: "key" as KeyId, secret: 0 }
    const call = new Call({} as Client, "messages", Date.now()).identify(identity)
    setClock(byMs)
    call.noteFirstByte(steadyMs())
    const { firstByteMs, latencyMs } = call.uncharged(502, "api_error", steadyMs())
    for (const ms of [firstByteMs!, latencyMs]) assert.isTrue(ms >= 0 && ms < 1_000, `${ms}`)
  })
})
