/** Requests made to be understood in two ways, and names made to become headers. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { startGateway, type TestAccount, type TestGateway } from "../gateway/start-gateway.ts"
import { post } from "../gateway/open-stream.ts"
import { ask } from "../operations/calls.ts"
import { until } from "../until.ts"
import { openSocket, sendRaw, statusesIn } from "./raw-socket.ts"

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startGateway()
  account = await gateway.account("100000")
})
afterAll(() => gateway.stop())

const body = JSON.stringify(ask("Hello", { max_tokens: 16 }))
/** What an attacker hides behind the first request. */
const hidden = "GET /healthz HTTP/1.1\r\nhost: h\r\n\r\n"

const head = (headers: string, path = "/v1/messages") =>
  `POST ${path} HTTP/1.1\r\nhost: h\r\nx-api-key: ${account.key}\r\n${headers}\r\n`

const started = async () => (await gateway.seen()).started

/** For what must be answered and ended, however long that takes. */
const untilClosed = { waitMs: 30_000 }

describe("a request that can be understood in two ways", () => {
  it.each([
    [
      "both length and chunks",
      `content-length: ${body.length}\r\ntransfer-encoding: chunked\r\n`,
      `0\r\n\r\n${hidden}`
    ],
    [
      "chunks and a length after",
      `transfer-encoding: chunked\r\ncontent-length: 4\r\n`,
      `0\r\n\r\n${hidden}`
    ],
    ["two lengths", `content-length: ${body.length}\r\ncontent-length: 0\r\n`, body + hidden],
    ["a list of lengths", `content-length: ${body.length}, ${body.length}\r\n`, body + hidden],
    ["a length with a sign", `content-length: +${body.length}\r\n`, body + hidden],
    ["a negative length", `content-length: -1\r\n`, body + hidden],
    ["a length that is hexadecimal", `content-length: 0x10\r\n`, body + hidden],
    ["an encoding nobody knows", `transfer-encoding: xchunked\r\n`, `0\r\n\r\n${hidden}`],
    ["a space before the colon", `content-length : ${body.length}\r\n`, body + hidden],
    [
      "a header folded over two lines",
      `x-folded: a\r\n b: c\r\ncontent-length: ${body.length}\r\n`,
      body + hidden
    ],
    ["a NUL in a header", `x-nul: a\0b\r\ncontent-length: ${body.length}\r\n`, body + hidden],
    ["a bare line feed between headers", `x-a: b\ncontent-length: ${body.length}\r\n`, body + hidden],
    ["a bare carriage return in a header", `x-a: b\rc\r\ncontent-length: ${body.length}\r\n`, body + hidden]
  ])("with %s never lets a hidden one through, nor hangs", async (_, headers, rest) => {
    const before = await started()
    const { text } = await sendRaw(gateway.url, head(headers) + rest)
    // One request was sent: at most one answer comes, and none of it the hidden one's.
    const statuses = statusesIn(text)
    const hiddenAnswered = text.includes("\r\n\r\nok")
    if (hiddenAnswered) {
      // Where the first was understood as a whole, what follows it is a request of its own, as in any pipeline.
      assert.strictEqual(statuses[0], 200, text)
      assert.strictEqual(await started(), before + 1, text)
    } else {
      assert.isAtMost(statuses.length, 1, text)
    }
    assert.isTrue(await lives())
  })

  it("with lengths and chunks at once is refused and its connection closed", async () => {
    for (const headers of [
      `content-length: ${body.length}\r\ntransfer-encoding: chunked\r\n`,
      `transfer-encoding: chunked\r\ncontent-length: ${body.length}\r\n`
    ]) {
      const before = await started()
      const bytes = `${head(headers)}0\r\n\r\n${hidden}`
      const { closed, text } = await sendRaw(gateway.url, bytes, untilClosed)
      assert.isTrue(closed, text)
      assert.notInclude(statusesIn(text), 200, text)
      assert.strictEqual(await started(), before)
    }
  })

  it.each([
    "chunked\r\ntransfer-encoding: chunked",
    "chunked\r\ntransfer-encoding: identity",
    "identity\r\ntransfer-encoding: chunked",
    "gzip, chunked"
  ])(
    "with other encodings than one of chunks is refused and its connection closed: %j",
    async (encodings) => {
      const before = await started()
      const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      const bytes = `${head(`transfer-encoding: ${encodings}\r\n`)}${chunks}`
      const { closed, text } = await sendRaw(gateway.url, bytes, untilClosed)
      assert.isTrue(closed, text)
      assert.deepStrictEqual(statusesIn(text), [400])
      assert.strictEqual(await started(), before)
    }
  )

  it("with chunks whose sizes lie is refused", async () => {
    for (const chunks of [
      "zz\r\nabc\r\n0\r\n\r\n",
      "-1\r\nabc\r\n0\r\n\r\n",
      "ffffffffffffffffff\r\nabc\r\n0\r\n\r\n"
    ]) {
      const { text } = await sendRaw(gateway.url, head("transfer-encoding: chunked\r\n") + chunks)
      assert.notInclude(statusesIn(text), 200, text)
    }
    assert.isTrue(await lives())
  })
})

/** The table of the threat model, without what is only waited out: another build of the server may do better, and the table with it. */
describe("what the server gets wrong", () => {
  const host = "host: h\r\n"
  const get = "GET /healthz HTTP/1.1\r\n"
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n`
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<number>]>([
    ["a line cut inside its version", ["GET /healthz HTT", `P/1.1\r\n${host}\r\n`], [505]],
    ["HTTP/1.0", [`GET /healthz HTTP/1.0\r\n${host}\r\n`], [505]],
    ["bare line feeds", ["GET /healthz HTTP/1.1\nhost: h\n\n"], [505]],
    ["a whole address", [`GET http://h/healthz HTTP/1.1\r\n${host}\r\n`], [505]],
    ["two hosts", [`${get}${host}${host}\r\n`], [200]],
    ["too many headers", [`${get}${host}${"a: b\r\n".repeat(110)}\r\n`], [431]],
    ["another request before the answer", [`${get}${host}\r\n${get}${host}\r\n`], []]
  ])("is as the threat model says: %s", async (_, parts, statuses) => {
    const socket = await openSocket(gateway.url)
    let text = ""
    socket.on("data", (bytes) => (text += bytes.toString("latin1")))
    const isOver = () => socket.destroyed || text.includes("\r\n\r\n")
    for (const part of parts) {
      await new Promise((resolve) => socket.write(part, resolve))
      // By now the server has read it: what came later was answered in three turns of its loop, of which one takes a new connection.
      for (let turn = 0; turn < 3; turn++) assert.isTrue(await lives())
    }
    await until(isOver)
    socket.destroy()
    assert.deepStrictEqual(statusesIn(text), statuses)
  })

  it("is as the threat model says: chunks with trailers", async () => {
    const request = `${head("transfer-encoding: chunked\r\n")}${chunks}a: b\r\n\r\n`
    const { text } = await sendRaw(gateway.url, request, untilClosed)
    assert.include(statusesIn(text), 505)
  })
})

const lives = async () => (await fetch(`${gateway.url}/healthz`)).status === 200

describe("what is put into headers", () => {
  it.each([
    "sonnet\r\nx-injected: 1",
    "so\nnnet",
    "so\0nnet",
    "sonnet\r\n\r\nHTTP 200 OK",
    "sönnet ✓ \ud800"
  ])("of a model's name %j stays a value", async (name) => {
    for (const stream of [false, true]) {
      const answer = await post(
        `${gateway.url}/v1/messages`,
        account.key,
        ask("Hello", { model: name, stream })
      )
      await answer.ended
      assert.strictEqual(answer.status, 200)
      assert.isUndefined(answer.headers["x-injected"])
      assert.match(String(answer.headers["x-svc-model-mapped-from"]), /^[\x20-\x7e]*$/)
      assert.strictEqual(answer.headers["x-svc-model"], "claude-fable-5")
    }
  })

  it("of a preflight's wish can not become another header", async () => {
    const { text } = await sendRaw(
      gateway.url,
      "OPTIONS /v1/messages HTTP/1.1\r\nhost: h\r\norigin: http://evil.example\r\n" +
        "access-control-request-headers: a\nx-injected: 1\r\n\r\n",
      { enough: (text) => text.includes("\r\n\r\n") }
    )
    assert.notMatch(text, /^x-injected/im)
  })

  it("of an id or a version sent by the caller reaches the provider as one value", async () => {
    const answer = await post(`${gateway.url}/v1/messages`, account.key, ask("Hello"), {
      headers: { "anthropic-beta": "a,b;c", "anthropic-version": "2023-06-01", traceparent: "x y z" }
    })
    await answer.ended
    const { last } = await gateway.seen()
    assert.strictEqual(last.at(-1)!.headers["anthropic-beta"], "a,b;c")
    assert.notProperty(last.at(-1)!.headers, "x-svc-model")
    assert.notInclude(JSON.stringify(last.at(-1)!.headers), account.key)
  })
})

describe("headers without end", () => {
  it("are refused and their connection closed, and others are served meanwhile", async () => {
    const { closed, text } = await sendRaw(
      gateway.url,
      `GET /healthz HTTP/1.1\r\nhost: h\r\nx-long: ${"a".repeat(200_000)}\r\n\r\n`,
      untilClosed
    )
    assert.isTrue(closed, text)
    assert.notInclude(statusesIn(text), 200)
    const many = Array.from({ length: 5_000 }, (_, index) => `x-${index}: 1\r\n`).join("")
    const second = await sendRaw(gateway.url, `GET /healthz HTTP/1.1\r\nhost: h\r\n${many}\r\n`, untilClosed)
    assert.isTrue(second.closed)
    assert.notInclude(statusesIn(second.text), 200)
    assert.isTrue(await lives())
  })

  it("that are merely long, as those of real clients, are taken", async () => {
    const answer = await fetch(`${gateway.url}/healthz`, { headers: { "x-long": "a".repeat(2_000) } })
    assert.strictEqual(answer.status, 200)
  })
})
