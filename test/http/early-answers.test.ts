/** An answer that comes before the whole request, over a stand-in for uWebSockets.js. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { FakeClient } from "./FakeClient.ts"
import { edgeOf } from "./start-edge.ts"

const endTurn = () => void vi.advanceTimersByTime(1)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("an answer before the whole request", () => {
  /** Answered while its request comes. */
  const refused = (edge = edgeOf()) => {
    const client = new FakeClient(edge)
    client.ask({ hasBody: true }, (exchange) => {
      exchange.expectBody(undefined, 1_000)
      exchange.respond(200, [["x-a", "b"]], "answered")
    })
    endTurn()
    assert.deepStrictEqual([client.last.header("connection"), client.last.body], ["close", "answered"])
    return { client, edge }
  }

  it("leaves its client a while to read it, and no longer", () => {
    const silent = refused().client
    vi.advanceTimersByTime(4_900)
    assert.isTrue(silent.isAlive)
    vi.advanceTimersByTime(200)
    assert.isFalse(silent.isAlive)
    const whole = refused().client
    whole.send("the rest", true)
    endTurn()
    assert.isFalse(whole.isAlive)
    const { client: endless, edge } = refused()
    for (let turn = 0; turn < 29; turn++) {
      endless.send("more")
      vi.advanceTimersByTime(1_000)
    }
    assert.isTrue(endless.isAlive)
    assert.strictEqual(edge.memory.bytes, 0)
    vi.advanceTimersByTime(2_000)
    assert.isFalse(endless.isAlive)
    assert.strictEqual(edge.openExchanges, 0)
  })

  it("keeps the places of others for few clients: the first make room", () => {
    const edge = edgeOf({ maxOpenCalls: 80 })
    const clients = Array.from({ length: 12 }, () => refused(edge).client)
    endTurn()
    const alive = clients.map(({ isAlive }) => isAlive)
    assert.deepStrictEqual(alive, [...Array(2).fill(false), ...Array(10).fill(true)])
    clients.at(-1)!.send("the rest", true)
    endTurn()
    refused(edge)
    assert.strictEqual(edge.openExchanges, 10)
    vi.advanceTimersByTime(5_000)
    assert.strictEqual(edge.openExchanges, 0)
  })

  it("leaves nothing behind once its client goes, and room for others", () => {
    const edge = edgeOf({ maxOpenCalls: 8 })
    const { client } = refused(edge)
    client.leave()
    assert.strictEqual(edge.openExchanges, 0)
    assert.strictEqual(vi.getTimerCount(), 0)
    const next = refused(edge).client
    vi.advanceTimersByTime(1_000)
    assert.isTrue(next.isAlive)
  })
})
