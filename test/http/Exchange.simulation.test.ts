/** Client and server do whatever they like, in any order; the stand-in for uWebSockets.js forbids what the real one forbids. */
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { vi } from "vitest"
import type { Exchange } from "../../src/http/Exchange.ts"
import { Unsent } from "../../src/http/Unsent.ts"
import { FakeClient } from "./FakeClient.ts"
import { edgeOf } from "./start-edge.ts"

const Step = Schema.Literals([
  "ask",
  "ask with a body",
  "ask for the head of a stream",
  "send",
  "send the last",
  "answer",
  "start",
  "write",
  "end",
  "fall behind",
  "read",
  "leave",
  "drop",
  "close after",
  "end of turn",
  "a second later",
  "long after"
])

const Steps = Schema.Array(Step).check(Schema.isMaxLength(40))

const run = (steps: typeof Steps.Type) => {
  const edge = edgeOf()
  const kept = () => [edge.openExchanges, edge.memory.bytes, edge.connections.open]
  let client = new FakeClient(edge)
  let exchange: Exchange | undefined
  const ask = (hasBody: boolean, method = "POST") => {
    const expect = (each: Exchange) => hasBody && each.expectBody(undefined, 1_000)
    exchange = client.ask({ method, hasBody }, expect) ?? exchange
  }
  const acts: Readonly<Record<typeof Step.Type, () => unknown>> = {
    ask: () => ask(false),
    "ask with a body": () => ask(true),
    "ask for the head of a stream": () => ask(false, "HEAD"),
    send: () => client.send("some"),
    "send the last": () => client.send("more", true),
    answer: () => exchange?.respond(200, [], exchange.method === "HEAD" ? new Unsent(undefined) : "answered"),
    start: () => exchange?.start(200, []),
    write: () => exchange?.isStarted && exchange.write("piece"),
    end: () => exchange?.isStarted && exchange.end("end"),
    "fall behind": () => (client.keepsUp = false),
    read: () => client.read(),
    leave: () => client.leave(),
    drop: () => exchange?.drop(),
    "close after": () => exchange?.closeAfter(),
    "end of turn": () => vi.advanceTimersByTime(1),
    "a second later": () => vi.advanceTimersByTime(1_000),
    "long after": () => vi.advanceTimersByTime(11_000)
  }
  for (const step of steps) {
    acts[step]()
    assert.isFalse(client.isCutOff)
    if (client.isAlive) continue
    assert.isFalse(exchange?.isOpen ?? false)
    vi.advanceTimersByTime(1)
    assert.deepStrictEqual([...kept(), vi.getTimerCount()], [0, 0, 0, 0])
    exchange = undefined
    client = new FakeClient(edge)
  }
  client.leave()
  vi.advanceTimersByTime(10_000)
  assert.deepStrictEqual([...kept(), vi.getTimerCount()], [0, 0, 0, 0])
}

it.prop(
  "touch no handle after its end, and leave nothing behind",
  [Steps],
  ([steps]) => {
    vi.useFakeTimers()
    try {
      run(steps)
    } finally {
      vi.useRealTimers()
    }
  },
  { arbitrary: { runs: 1_000 } }
)
