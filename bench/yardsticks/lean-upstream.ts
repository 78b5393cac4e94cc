/**
 * A chat provider that costs as little as it can, so that on shared cores it takes little from what is measured. A plain
 * answer is always the same. Every event of a stream says when it was sent, so that the delay of each can be told on its
 * own: `[bench: events=64 interval=20]` in the prompt, `interval=0` for as fast as they are read; behind `[bench: close]` the
 * connection is closed. Prints `{"url":…}`.
 *
 * `node lean-upstream.ts [<file of its key> <file of its certificate>]`; with these it speaks TLS.
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

const plain = Buffer.from(
  JSON.stringify({
    id: "chatcmpl-bench",
    object: "chat.completion",
    created: 1,
    model: "bench",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Xin chào! How can I help you today?", refusal: null },
        logprobs: null,
        finish_reason: "stop"
      }
    ],
    usage: { prompt_tokens: 85, completion_tokens: 12, total_tokens: 97 }
  })
)

/** As many headers as providers send. */
const answerPlain = (res: uWS.HttpResponse, closes: boolean): void => {
  res.cork(() => {
    res.writeHeader("content-type", "application/json")
    res.writeHeader("x-request-id", "req_00000000000000000000000000000000")
    res.writeHeader("openai-processing-ms", "1")
    res.writeHeader("openai-version", "2020-10-01")
    res.writeHeader("x-ratelimit-remaining-requests", "9999")
    res.writeHeader("x-ratelimit-remaining-tokens", "999999")
    res.writeHeader("strict-transport-security", "max-age=31536000; includeSubDomains; preload")
    res.end(plain, closes)
  })
}

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

const [key, certificate] = process.argv.slice(2)
const server =
  key === undefined || certificate === undefined
    ? uWS.App()
    : uWS.SSLApp({ key_file_name: key, cert_file_name: certificate })
const app = server.post("/*", (res) => {
  const chunks: Array<Buffer> = []
  res.onAborted(() => {})
  res.onData((chunk, isLast) => {
    chunks.push(Buffer.from(chunk.slice(0)))
    if (!isLast) return
    const body = Buffer.concat(chunks).toString("latin1")
    if (!body.includes('"stream":true')) return answerPlain(res, body.includes("[bench: close]"))
    const [, events = "64", interval = "0"] = /\[bench: events=(\d+) interval=(\d+)\]/.exec(body) ?? []
    stream(res, Number(events), Number(interval))
  })
})
app.listen("127.0.0.1", 0, (socket) => {
  if (socket)
    process.stdout.write(
      `{"url":"${key === undefined ? "http" : "https"}://127.0.0.1:${uWS.us_socket_local_port(socket)}"}\n`
    )
})
