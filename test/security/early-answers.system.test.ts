/** Answers to who still sends: they are whole at once, nothing of what is sent is kept, and the connection ends well. */
import { assert } from "@effect/vitest"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import type { Socket } from "node:net"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ask as call, messagesCall } from "../gateway/ask.ts"
import { startGateway, type TestAccount, type TestGateway } from "../gateway/start-gateway.ts"
import { openSocket } from "./raw-socket.ts"
import { until } from "../until.ts"

let gateway: TestGateway
let account: TestAccount
const mebibyte = 1024 * 1024
beforeAll(async () => {
  const limits = { max_buffered_bytes: 24 * mebibyte, max_buffered_bytes_per_account: 8 * mebibyte }
  gateway = await startGateway({ yaml: { limits }, env: { DASHBOARD: "on" } })
  account = await gateway.account("100000")
})
afterAll(() => gateway.stop())

/** An error comes first, and is for others to judge. */
const closeOf = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()))

/** Writes the head of a request, and waits for the whole answer before anything of its body is sent. */
const headFirst = async (line: string, headers: ReadonlyArray<string>) => {
  const socket = await openSocket(gateway.url)
  const errors: Array<Error> = []
  socket.on("error", (error) => errors.push(error))
  const closed = closeOf(socket)
  let text = ""
  const whole = new Promise<string>((resolve) =>
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1")
      const [head, ...rest] = text.split("\r\n\r\n")
      const length = Number(/content-length: (\d+)/i.exec(head!)?.[1])
      if (rest.join("\r\n\r\n").length >= length) resolve(text)
    })
  )
  socket.write([line, "host: h", ...headers, "", ""].join("\r\n"))
  return { socket, answer: await Promise.race([whole, closed.then(() => text)]), closed, errors }
}

/** Kept of all bodies by the one gateway thread. */
const bodyBytes = async () => {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
  return Number(/^tollgate_body_bytes\{thread="0"\} (\d+)$/m.exec(metrics)?.[1])
}

const large = "content-length: 1000000"
const key = () => `x-api-key: ${account.key}`

describe("an answer given before the body was read", () => {
  const cases: ReadonlyArray<readonly [number, string, () => ReadonlyArray<string>]> = [
    [401, "POST /v1/messages", () => [large]],
    [401, "POST /v1/chat/completions", () => [large, "authorization: Bearer no"]],
    [401, "POST /v1/responses", () => ["transfer-encoding: chunked"]],
    [401, "GET /v1/models", () => [large]],
    [404, "POST /v1/nothing", () => [large, key()]],
    [404, "POST /v1/v1/messages", () => [large, key()]],
    [405, "PUT /v1/messages", () => [large, key()]],
    [413, "POST /v1/messages", () => ["content-length: 1000000000", key()]],
    [413, "POST /v1/messages", () => [`content-length: ${8 * mebibyte + 1}`, key()]],
    [415, "POST /v1/messages", () => [large, key(), "content-encoding: gzip"]],
    [413, "POST /dashboard/api/auth/sign-in/email", () => ["content-length: 2000000"]]
  ]

  it.concurrent.each(cases)(
    "(%i to %s) is whole, and its connection ends when the body has come",
    async (...given) => {
      const [status, request, headers] = given
      const { answer, closed, errors, socket } = await headFirst(`${request} HTTP/1.1`, headers())
      assert.include(answer, `HTTP/1.1 ${status} `)
      assert.match(answer, /connection: close/i)
      assert.match(answer, /content-length: [1-9]/i)
      const declared = Number(/\d{7,}/.exec(headers().join())?.[0] ?? 0)
      if (declared > 0 && declared < 100_000_000) socket.write(Buffer.alloc(declared, "a"))
      await closed
      assert.deepStrictEqual(errors, [])
    }
  )

  it("(503 to POST /v1/messages) is whole, too, beside a body that takes its account's part", async () => {
    const other = await openSocket(gateway.url)
    other.write(`POST /v1/messages HTTP/1.1\r\nhost: h\r\n${key()}\r\ncontent-length: 7000000\r\n\r\n`)
    other.write(Buffer.alloc(6_000_000, "a"))
    await until(async () => (await bodyBytes()) >= 6_000_000)
    const { answer, closed, errors, socket } = await headFirst("POST /v1/messages HTTP/1.1", [
      "content-length: 5000000",
      key()
    ])
    assert.include(answer, "HTTP/1.1 503 ")
    assert.match(answer, /retry-after: \d+/i)
    socket.write(Buffer.alloc(5_000_000, "a"))
    await closed
    assert.deepStrictEqual(errors, [])
    other.destroy()
    await until(async () => (await bodyBytes()) === 0)
  })

  it("keeps the connection where the body has come along", async () => {
    const socket = await openSocket(gateway.url)
    for (let turn = 0; turn < 2; turn++) {
      socket.write("POST /v1/messages HTTP/1.1\r\nhost: h\r\ncontent-length: 2\r\n\r\n{}")
      const [chunk] = (await once(socket, "data")) as [Buffer]
      assert.include(chunk.toString("latin1"), "HTTP/1.1 401 ")
      assert.notMatch(chunk.toString("latin1"), /connection: close/i)
    }
    socket.destroy()
  })

  it("tells a HEAD its length and ends its connection too", async () => {
    const socket = await openSocket(gateway.url)
    const closed = closeOf(socket)
    socket.write(`HEAD /v1/models HTTP/1.1\r\nhost: h\r\n${large}\r\n\r\n`)
    const [chunk] = (await once(socket, "data")) as [Buffer]
    assert.match(chunk.toString("latin1"), /^HTTP\/1\.1 401 [^]*content-length: [1-9]\d*\r\n\r\n$/i)
    await closed
  })
})

const residentMebibytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, "utf8"))![1]) / 1024

/** Sends as fast as it is taken, until the connection ends. */
const flood = async (headers: string, bytes: number) => {
  const socket: Socket = await openSocket(gateway.url)
  const closed = closeOf(socket)
  const piece = Buffer.alloc(mebibyte, "a")
  let left = bytes
  let text = ""
  const send = () => {
    while (left > 0 && !socket.destroyed) {
      left -= piece.length
      if (!socket.write(piece)) return void socket.once("drain", send)
    }
  }
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1")
    if (/HTTP\/1\.1 [1-5]/.test(text)) setTimeout(() => socket.destroy(), 500)
  })
  socket.write(`POST /v1/messages HTTP/1.1\r\nhost: h\r\n${headers}content-length: ${bytes}\r\n\r\n`)
  send()
  await closed
  return text.slice(9, 12)
}

describe.skipIf(process.platform !== "linux")("bodies that nobody is known to pay for", () => {
  it.each([
    ["without a key", "401", () => ""],
    ["with a key that is none", "401", () => "x-api-key: no\r\n"],
    ["by one account, beyond its part", "503", () => `${key()}\r\n`]
  ])("(%s) are not kept", async (_, status, headers) => {
    const idle = residentMebibytes()
    let most = idle
    const timer = setInterval(() => (most = Math.max(most, residentMebibytes())), 10)
    const floods = Array.from({ length: 100 }, () => flood(headers(), 8 * mebibyte))
    const statuses = new Set(await Promise.all(floods))
    clearInterval(timer)
    assert.isBelow(most - idle, 200)
    assert.isTrue(statuses.has(status), [...statuses].join())
    const answer = await call(gateway, account.key, "/v1/messages", messagesCall())
    assert.strictEqual(answer.status, 200)
    // The last of the floods may have gone a moment ago.
    await until(async () => (await bodyBytes()) === 0)
  })
})
