/** Over real connections: what the kernel takes, and when uWebSockets.js closes, has no stand-in. */
import { assert } from "@effect/vitest"
import { once } from "node:events"
import { get, type IncomingMessage } from "node:http"
import * as uWS from "uWebSockets.js"
import { afterAll, beforeAll, describe, it } from "vitest"
import { PacedWriter } from "../../src/http/PacedWriter.ts"
import { Underway } from "../../src/http/Underway.ts"
import { delay } from "../delay.ts"

const piece = Buffer.alloc(15_000, "a")
const app = uWS.App()
let port = 0
let onWriter: (writer: PacedWriter) => void = () => {}

beforeAll(async () => {
  app.get("/*", (res) => {
    const writer = new PacedWriter(res, new Underway())
    res.onAborted(() => writer.forget())
    writer.begin(() => void res.writeStatus("200 OK"))
    onWriter(writer)
  })
  const listening = await new Promise<uWS.us_listen_socket>((resolve) =>
    app.listen("127.0.0.1", 0, (socket) => resolve(socket as uWS.us_listen_socket))
  )
  port = uWS.us_socket_local_port(listening)
})
afterAll(() => void app.close())

/** An answer whose client does not read yet, written until `enough` pieces are sent or one is refused. */
const lag = async (enough: number) => {
  const called = new Promise<PacedWriter>((resolve) => (onWriter = resolve))
  const sent = get({ port, host: "127.0.0.1", agent: false })
  const answered = once(sent, "response")
  const writer = await called
  let pieces = 0
  let keepsUp = true
  while (keepsUp && pieces < enough) {
    // Not under the cork of the request's handler.
    await delay(0)
    keepsUp = writer.write(piece)
    pieces++
  }
  const [response] = (await answered) as [IncomingMessage]
  return { writer, response, pieces, keepsUp }
}

/** Written until the last piece finds no room, which only the next one would tell: how many those are differs by some. */
const lagUnnoticed = async () => {
  for (;;) {
    const measured = await lag(Infinity)
    measured.response.on("error", () => {}).destroy()
    const lagging = await lag(measured.pieces - 1)
    if (lagging.keepsUp) return lagging
    lagging.response.on("error", () => {}).destroy()
  }
}

describe("a stream whose client fell behind by the last piece and caught up", () => {
  it("goes on for as long as it likes", { timeout: 40_000 }, async () => {
    const { writer, response, pieces } = await lagUnnoticed()
    let read = 0
    response.on("data", (chunk: Buffer) => (read += chunk.length))
    // Longer than uWebSockets.js waits.
    for (let seconds = 0; seconds < 15; seconds++) {
      await delay(1_000)
      assert.isTrue(writer.write("!"))
    }
    writer.end("")
    await once(response, "end")
    assert.strictEqual(read, pieces * piece.length + 15)
  })
})
