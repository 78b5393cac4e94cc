/**
 * A chat provider whose every event says when it was sent, so that the delay of each can be told on its own:
 * `[bench: events=64 interval=20]` in the prompt, `interval=0` for as fast as they are read; prints `{"url":…}`.
 */
import * as uWS from "uWebSockets.js"

const now = () => process.hrtime.bigint()
const head = 'data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1,"model":"bench"'
const eventNow = () =>
  `${head},"choices":[{"index":0,"delta":{"content":"t${now()}"},"finish_reason":null}]}\n\n`
const last =
  `${head},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n` +
  `${head},"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":20}}\n\n` +
  "data: [DONE]\n\n"

const stream = (res: uWS.HttpResponse, events: number, intervalMs: number): void => {
  let open = true
  let left = events
  let timer: NodeJS.Timeout | undefined
  res.onAborted(() => {
    open = false
    clearInterval(timer)
  })
  res.cork(() => res.writeHeader("content-type", "text/event-stream; charset=utf-8"))
  const send = (): boolean => {
    if (!open) return false
    let keepsUp = true
    res.cork(() => {
      if (left-- > 0) keepsUp = res.write(eventNow())
      else {
        open = false
        clearInterval(timer)
        res.end(last)
      }
    })
    return keepsUp
  }
  const pour = (): void => {
    let keepsUp = true
    while (keepsUp) keepsUp = send()
  }
  if (intervalMs > 0) {
    send()
    timer = setInterval(send, intervalMs)
    return
  }
  res.onWritable(() => {
    pour()
    return true
  })
  pour()
}

const app = uWS.App().post("/*", (res) => {
  const chunks: Array<Buffer> = []
  res.onAborted(() => {})
  res.onData((chunk, isLast) => {
    chunks.push(Buffer.from(chunk.slice(0)))
    if (!isLast) return
    const body = Buffer.concat(chunks).toString("latin1")
    const [, events = "64", interval = "0"] = /\[bench: events=(\d+) interval=(\d+)\]/.exec(body) ?? []
    stream(res, Number(events), Number(interval))
  })
})
app.listen("127.0.0.1", 0, (socket) => {
  if (socket) process.stdout.write(`{"url":"http://127.0.0.1:${uWS.us_socket_local_port(socket)}"}\n`)
})
