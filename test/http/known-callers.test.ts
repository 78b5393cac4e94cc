/** What a caller has of the edge before it is known who it is, and after, over a stand-in for uWebSockets.js. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { AccountId } from "../../src/domain/ids.ts"
import type { Exchange } from "../../src/http/Exchange.ts"
import { FakeClient } from "./FakeClient.ts"
import { edgeOf } from "./start-edge.ts"

const account = AccountId.make("00000000-0000-7000-8000-000000000001")
const answer = (exchange: Exchange) => exchange.respond(200, [], "answered")
const withBody = (exchange: Exchange) => exchange.expectBody(undefined, 1_000)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("a caller", () => {
  it("has its connection kept between requests once it is known, and not before", () => {
    const edge = edgeOf()
    const client = new FakeClient(edge)
    const timesKept = (serve: (exchange: Exchange) => void) => {
      client.ask({}, serve)
      vi.advanceTimersByTime(1)
      const { pauses } = client
      vi.advanceTimersByTime(5_000)
      edge.connections.keepResting()
      return client.pauses - pauses
    }
    const serveKnown = (exchange: Exchange) => {
      exchange.countBodyFor(account)
      answer(exchange)
    }
    assert.deepStrictEqual([answer, serveKnown, answer].map(timesKept), [0, 1, 1])
  })

  it("has what it sends counted with others of its address until it is known", () => {
    const bytesOfTwo = (serve: (exchange: Exchange) => void) => {
      const edge = edgeOf()
      for (const client of [new FakeClient(edge), new FakeClient(edge)]) {
        client.ask({ hasBody: true }, serve)
        client.send("a".repeat(400))
      }
      return edge.memory.bytes
    }
    const known = (exchange: Exchange) => {
      withBody(exchange)
      exchange.countBodyFor(account)
    }
    assert.deepStrictEqual([bytesOfTwo(withBody), bytesOfTwo(known)], [400, 800])
  })

  it("keeps beside its body what there is room for, until it is answered", () => {
    const edge = edgeOf()
    const client = new FakeClient(edge)
    const exchange = client.ask({ hasBody: true }, withBody)!
    exchange.countBodyFor(account)
    client.send("a", true)
    assert.deepStrictEqual(
      [4_000, 1_000, 999].map((bytes) => exchange.takeRoom(bytes)),
      [true, false, true]
    )
    answer(exchange)
    assert.strictEqual(edge.memory.bytes, 0)
    assert.isFalse(exchange.takeRoom(1))
    vi.advanceTimersByTime(1)
    assert.isFalse(client.ask({}, () => {})!.takeRoom(1), "nothing is beside no body")
  })
})
