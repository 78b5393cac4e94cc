/**
 * What `Connection.ts` lives by, of uWebSockets.js itself: what is set by a connection's own handle counts for the
 * requests that come on it, and each but those in chunks of which none is there is told of its body before anything
 * else can happen.
 */
import { assert } from "@effect/vitest"
import { once } from "node:events"
import * as uWS from "uWebSockets.js"
import { afterAll, beforeAll, describe, it } from "vitest"
import { delay } from "../delay.ts"
import { openSocket } from "../security/raw-socket.ts"
import { until } from "../until.ts"

let url = ""
let events: Array<string> = []
const app = uWS.App()
beforeAll(async () => {
  app.filter((handle, count) => {
    if (count < 0) return void events.push("closed")
    const watch = () => {
      handle.onAborted(() => void events.push("told of the end"))
      handle.onData((chunk, isLast) => {
        events.push(`${chunk.byteLength}${isLast ? " last" : ""}`)
        if (isLast) setImmediate(answer)
      })
    }
    const answer = () => {
      last!.cork(() => {
        last!.end("ok")
        watch()
      })
    }
    watch()
  })
  let last: uWS.HttpResponse | undefined
  app.any("/*", (res) => {
    last = res
    events.push("request")
    // Nothing that a handler does when it returns comes between.
    setImmediate(() => events.push("later"))
  })
  const listening = await new Promise<uWS.us_listen_socket | false>((resolve) =>
    app.listen("127.0.0.1", 0, resolve)
  )
  url = `http://127.0.0.1:${uWS.us_socket_local_port(listening as uWS.us_listen_socket)}`
})
afterAll(() => void app.close())

const get = "GET / HTTP/1.1\r\nhost: h\r\n\r\n"
const post = "POST / HTTP/1.1\r\nhost: h\r\n"

describe("a request's first word of its body", () => {
  it.each([
    ["without a body", [get], "0 last"],
    ["whose head comes in two pieces", [get.slice(0, 20), get.slice(20)], "0 last"],
    ["with a length of nothing", [`${post}content-length: 0\r\n\r\n`], "0 last"],
    ["with its body", [`${post}content-length: 4\r\n\r\nabcd`], "4 last"],
    ["whose body comes later", [`${post}content-length: 4\r\n\r\n`, "abcd"], "0"],
    [
      "in chunks, of which one is there",
      [`${post}transfer-encoding: chunked\r\n\r\n4\r\nabcd\r\n`, "0\r\n\r\n"],
      "4"
    ],
    ["in pieces, whose body comes later", [post, "content-length: 4\r\n\r\n", "abcd"], "0"],
    ["that asks for another protocol", [get.replace("host", "upgrade: websocket\r\nhost")], "0 last"],
    ["by a method of its own", [get.replace("GET", "LOCK")], "0 last"]
  ])("(%s) comes with it, also on a connection that has had one", async (_, pieces, first) => {
    const socket = await openSocket(url)
    events = []
    for (let turn = 0; turn < 2; turn++) {
      const from = events.length
      for (const piece of pieces) {
        socket.write(piece)
        await delay(10)
      }
      if (!events.slice(from).some((event) => event.endsWith("last"))) await once(socket, "data")
      const at = events.indexOf("request", from)
      assert.strictEqual(events[at + 1], first, events.join(", "))
    }
    // At rest, its end is told by the handle that was set last.
    events = []
    socket.destroy()
    await until(() => events.length >= 2)
    assert.deepStrictEqual(events, ["closed", "told of the end"])
  })
})
