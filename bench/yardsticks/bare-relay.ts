/**
 * The yardstick: the least that a relay in Node can do. uWebSockets.js in front, undici behind, the body parsed once;
 * no keys, no money, no log. Streams go through with back-pressure both ways, and a client's leaving ends them.
 *
 * `node bare-relay.ts <origin of the upstream> [<file of its authority>]`; prints `{"url":…}`.
 */
import { readFileSync } from "node:fs"
import { type Dispatcher, Pool } from "undici"
import * as uWS from "uWebSockets.js"

const [origin, authority] = process.argv.slice(2)
const pool = new Pool(origin!, {
  headersTimeout: 0,
  bodyTimeout: 0,
  pipelining: 1,
  ...(authority !== undefined && { connect: { ca: readFileSync(authority) }, allowH2: false })
})
const gone = new Error("the client has gone")

class Relay implements Dispatcher.DispatchHandler {
  readonly #res: uWS.HttpResponse
  #chunks: Array<Buffer> = []
  #controller: Dispatcher.DispatchController | undefined
  #open = true
  #streams = false
  #awaitsDrain = false

  constructor(res: uWS.HttpResponse) {
    this.#res = res
    res.onAborted(() => {
      this.#open = false
      this.#controller?.abort(gone)
    })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (!this.#open) controller.abort(gone)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (!this.#open) return
    const type = String(headers["content-type"])
    this.#streams = type.startsWith("text/event-stream")
    this.#res.cork(() => {
      this.#res.writeStatus(status === 200 ? "200 OK" : String(status))
      this.#res.writeHeader("content-type", type)
    })
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#open) return
    this.#chunks.push(chunk)
    // One read of the socket gives a callback for each HTTP chunk: they leave in one write.
    if (this.#streams && this.#chunks.length === 1) queueMicrotask(() => this.#flush())
  }

  onResponseEnd(): void {
    if (!this.#open) return
    this.#open = false
    this.#res.cork(() => {
      if (this.#chunks.length > 0) this.#res.end(this.#take())
      else this.#res.end()
    })
  }

  onResponseError(): void {
    if (!this.#open) return
    this.#open = false
    this.#res.close()
  }

  #flush(): void {
    if (!this.#open || this.#chunks.length === 0) return
    let keepsUp = true
    this.#res.cork(() => {
      keepsUp = this.#res.write(this.#take())
    })
    if (keepsUp) return
    this.#controller!.pause()
    if (this.#awaitsDrain) return
    this.#awaitsDrain = true
    this.#res.onWritable(() => {
      this.#controller!.resume()
      return true
    })
  }

  #take(): Buffer {
    const chunks = this.#chunks
    this.#chunks = []
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  }
}

const app = uWS.App().post("/*", (res, req) => {
  const path = req.getUrl()
  const headers = {
    "content-type": req.getHeader("content-type"),
    authorization: req.getHeader("authorization"),
    "x-api-key": req.getHeader("x-api-key"),
    "anthropic-version": "2023-06-01"
  }
  const relay = new Relay(res)
  const chunks: Array<Buffer> = []
  res.onData((chunk, isLast) => {
    chunks.push(Buffer.from(chunk.slice(0)))
    if (!isLast) return
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    if (typeof JSON.parse(body.toString("utf8")).model !== "string") return void res.close()
    pool.dispatch({ method: "POST", path, headers, body }, relay)
  })
})
app.listen("127.0.0.1", 0, (socket) => {
  if (socket) process.stdout.write(`{"url":"http://127.0.0.1:${uWS.us_socket_local_port(socket)}"}\n`)
})
