/** Over real connections, longer than uWebSockets.js gives them by itself. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { delay } from "../delay.ts"
import { useGateway } from "../clients/use-gateway.ts"
import { openSocket } from "../security/raw-socket.ts"

const gateway = useGateway()

const bodyOf = (stream: boolean, asked: string): string => {
  const messages = [{ role: "user", content: `[sim: ${asked}]` }]
  return JSON.stringify({ model: "claude-sonnet-5", max_tokens: 50, stream, messages })
}

const inChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** Sends a call whose head ends in `head`, and its `pieces` with so much time behind each; what is answered. */
const call = async (head: string, pieces: ReadonlyArray<string>, everyMs = 0): Promise<string> => {
  const socket = await openSocket(gateway.url)
  let received = ""
  socket.on("data", (bytes: Buffer) => (received += bytes.toString()))
  const closed = once(socket, "close")
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nhost: h\r\nconnection: close\r\nx-api-key: ${gateway.key}\r\n${head}\r\n\r\n`
  )
  for (const piece of pieces) {
    socket.write(piece)
    await delay(everyMs)
  }
  await closed
  return received
}

/** In chunks that all come at once: the connection is paused with the first, and told of the last all the same. */
const callInChunks = (stream: boolean, asked: string): Promise<string> => {
  const body = bodyOf(stream, asked)
  const chunks = `${inChunk(body.slice(0, 9))}${inChunk(body.slice(9))}0\r\n\r\n`
  return call("transfer-encoding: chunked", [chunks])
}

describe("a request", { timeout: 60_000 }, () => {
  it.concurrent("whose last came while its connection was paused has its answer, however long it takes", async () => {
    const [whole, streamed] = await Promise.all([
      callInChunks(false, "latency=16000"),
      callInChunks(true, "tokens=32 interval=500")
    ])
    assert.include(whole, '"stop_reason":"end_turn"')
    assert.include(streamed, '"type":"message_stop"')
  })

  it.concurrent("of a customer on a slow line is waited for", async () => {
    const body = bodyOf(false, "tokens=5").padEnd(60_000)
    const pieces = Array.from({ length: 20 }, (_, at) => body.slice(at * 3_000, (at + 1) * 3_000))
    assert.include(await call(`content-length: ${body.length}`, pieces, 1_000), '"stop_reason":"end_turn"')
  })
})
