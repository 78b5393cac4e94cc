/** Over a real connection: uWebSockets.js starts its clock with `resume`, and tells what it has read while it is paused. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { useGateway } from "../clients/use-gateway.ts"
import { openSocket } from "../security/raw-socket.ts"

const gateway = useGateway()

const inChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** In chunks that all come at once: the connection is paused with the first, and told of the last all the same. */
const call = async (stream: boolean, asked: string): Promise<string> => {
  const messages = [{ role: "user", content: `[sim: ${asked}]` }]
  const body = JSON.stringify({ model: "claude-sonnet-5", max_tokens: 50, stream, messages })
  const socket = await openSocket(gateway.url)
  let received = ""
  socket.on("data", (bytes: Buffer) => (received += bytes.toString()))
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nhost: h\r\nconnection: close\r\nx-api-key: ${gateway.key}\r\n` +
      `transfer-encoding: chunked\r\n\r\n${inChunk(body.slice(0, 9))}${inChunk(body.slice(9))}0\r\n\r\n`
  )
  await once(socket, "close")
  return received
}

describe("a request whose last came while its connection was paused", () => {
  it("has its answer, however long it takes", { timeout: 60_000 }, async () => {
    // Longer than uWebSockets.js waits, with its last round.
    const [whole, streamed] = await Promise.all([
      call(false, "latency=16000"),
      call(true, "tokens=32 interval=500")
    ])
    assert.include(whole, '"stop_reason":"end_turn"')
    assert.include(streamed, '"type":"message_stop"')
    await gateway.newCalls(2)
  })
})
