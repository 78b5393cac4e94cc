/** A relay with everything around it in the test's hands. */
import { Effect } from "effect"
import { MessagesPassthrough } from "../../src/formats/messages/MessagesPassthrough.ts"
import type { StreamCodec } from "../../src/formats/stream/stream-codec.ts"
import type { Client } from "../../src/gateway/Client.ts"
import { type RelayOptions, StreamRelay } from "../../src/gateway/StreamRelay.ts"
import type { Delivery } from "../../src/upstream/http1/Delivery.ts"
import { UpstreamExchange } from "../../src/upstream/UpstreamExchange.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"

/** A relay between an upstream and a client that are the test's; `sent` is what the client got. */
export const begin = (codec: StreamCodec = new MessagesPassthrough(), hold?: RelayOptions["hold"]) => {
  const upstream = { aborted: 0, paused: false }
  let watched = 0
  const delivery = {
    pause: () => (upstream.paused = true),
    resume: () => (upstream.paused = false),
    abort: () => upstream.aborted++
  }
  const exchange = new UpstreamExchange(
    { firstByteTimeoutMs: Infinity, idleTimeoutMs: Infinity, deadlineMs: Infinity, readWhole: false },
    steadyMs(),
    () => () => {}
  )
  exchange.begin(delivery as unknown as Delivery)
  const sent: Array<string> = []
  const client = {
    isOpen: true,
    start: (status: number) => sent.push(String(status)),
    writable: true,
    onWritable: () => {},
    write(piece: Uint8Array | string) {
      sent.push(Buffer.from(piece as string).toString())
      return this.writable
    },
    whenWritable(listener: () => void) {
      this.onWritable = listener
    },
    end: (piece: Uint8Array | string = "") => sent.push(`${Buffer.from(piece as string).toString()}(end)`)
  }
  const relay = new StreamRelay({
    client: client as unknown as Client,
    upstream: exchange,
    codec,
    headers: () => [],
    keepAlive: () => "(ping)",
    hold,
    keepAliveMs: 1_000,
    stalledClientMs: 1_000,
    lastWriteMs: steadyMs(),
    started: false,
    onFirstByte: () => {},
    watch: () => {
      watched++
      let count = 1
      // It may be said twice.
      return () => {
        watched -= count
        count = 0
      }
    }
  })
  const receive = (bytes: string | Buffer) => Effect.sync(() => exchange.onData(Buffer.from(bytes)))
  return { client, exchange, receive, relay, sent, upstream, watched: () => watched }
}

export const watchEnd = (relay: StreamRelay) => Effect.forkChild(relay.ended, { startImmediately: true })
