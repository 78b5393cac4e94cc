/** What balancers and Prometheus ask on the port for operations. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { connect } from "node:net"
import { probeConnection } from "./probe-connection.ts"
import type { Page } from "../../src/http/Operations.ts"
import { serveOperations } from "../../src/http/serve-operations.ts"

const ready: Page = { status: 200, body: '{"ready":true}' }

const served = (page: (name: "readyz" | "metrics") => Effect.Effect<Page>) =>
  serveOperations({ host: "127.0.0.1", port: 0 }, page)

/** The status line and the body of the answer to these bytes. */
const said = (port: number, request: string) =>
  Effect.promise(async () => {
    const socket = connect(port, "127.0.0.1")
    let text = ""
    socket.on("data", (bytes) => (text += bytes.toString()))
    socket.write(request)
    await once(socket, "close")
    const [head, body] = text.split("\r\n\r\n")
    return [head!.split("\r\n")[0], body]
  })

describe("the port for operations", () => {
  it.live("answers the checks of HAProxy and nginx as they come, HTTP/1.0 included", () =>
    Effect.gen(function* () {
      const port = yield* served(() => Effect.succeed(ready))
      assert.deepStrictEqual(yield* said(port, "OPTIONS / HTTP/1.0\r\n\r\n"), ["HTTP/1.1 200 OK", ""])
      assert.deepStrictEqual(yield* said(port, "GET /readyz HTTP/1.0\r\n\r\n"), [
        "HTTP/1.1 200 OK",
        '{"ready":true}'
      ])
      assert.deepStrictEqual(
        yield* said(port, "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
        ["HTTP/1.1 200 OK", "ok"]
      )
    })
  )

  it.live("tells the length of what it sends, so that the next answer on the connection can be read", () =>
    Effect.gen(function* () {
      const port = yield* served(() => Effect.succeed(ready))
      const asked = (method: string) =>
        Effect.promise(() => probeConnection(`http://127.0.0.1:${port}/readyz`, [method, "GET"]))
      for (const method of ["HEAD", "OPTIONS"]) {
        assert.deepStrictEqual(yield* asked(method), [
          { status: 200, reused: false },
          { status: 200, reused: true }
        ])
      }
    })
  )

  it.live("passes on that the node is not ready, tells metrics, and knows nothing else", () =>
    Effect.gen(function* () {
      const port = yield* served((name) =>
        Effect.succeed(name === "readyz" ? { status: 503, body: "{}" } : { status: 200, body: "x 1" })
      )
      const get = (path: string) => said(port, `GET ${path} HTTP/1.0\r\n\r\n`)
      assert.deepStrictEqual(yield* get("/readyz?x=1"), ["HTTP/1.1 503 Service Unavailable", "{}"])
      assert.deepStrictEqual(yield* get("/metrics"), ["HTTP/1.1 200 OK", "x 1"])
      assert.deepStrictEqual(yield* get("/v1/models"), ["HTTP/1.1 404 Not Found", ""])
      assert.deepStrictEqual(yield* said(port, "POST /readyz HTTP/1.0\r\n\r\n"), [
        "HTTP/1.1 405 Method Not Allowed",
        ""
      ])
    })
  )
})
