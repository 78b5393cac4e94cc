/** Request bodies of every kind of badness: 400 or passed on, never a fault of the gateway's own. */
import { assert } from "@effect/vitest"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, it } from "vitest"
import { gzipSync } from "node:zlib"
import { ask, errorOf, messagesCall } from "./ask.ts"
import { endpoints } from "./endpoints.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startGateway()
  account = await gateway.account("100000000")
})
afterAll(() => gateway.stop())

const bodyMax = 20_971_520

/** A whole answer to bytes written as they are; the connection is closed by the gateway or when `done` says so. */
const raw = (write: (socket: ReturnType<typeof connect>) => void): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(gateway.url)
    const socket = connect(Number(port), "127.0.0.1", () => write(socket))
    let text = ""
    const finish = () => {
      resolve(text)
      socket.destroy()
    }
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1")
      const [first, body] = text.split("\r\n\r\n")
      const length = Number(/content-length: (\d+)/i.exec(first!)?.[1] ?? Number.NaN)
      if (body !== undefined && body.length >= length) finish()
      // What was refused early is told in full before the connection ends.
      if (body?.includes('"request_id":"req_') === true) finish()
    })
    socket.on("close", finish)
    // What is still being written when the gateway closes is of no interest.
    socket.on("error", (error) => (text === "" ? reject(error) : finish()))
  })

const head = (path: string, lines: ReadonlyArray<string>) =>
  [`POST ${path} HTTP/1.1`, "host: gateway", `x-api-key: ${account.key}`, ...lines, "", ""].join("\r\n")

/** A call of exactly `bytes` bytes. */
const callOf = (bytes: number): string => {
  const body = JSON.stringify(messagesCall("{}"))
  return body.replace("{}", "a".repeat(bytes - body.length + 2))
}

describe("a body's size", () => {
  it("may be 20 MiB to the byte, and not one byte more", async () => {
    const whole = await ask(gateway, account.key, "/v1/messages", callOf(bodyMax))
    assert.strictEqual(whole.status, 200, whole.text.slice(0, 500))
    assert.strictEqual((await gateway.seen()).last.at(-1)!.body.length, bodyMax)
    for (const [path, , family] of endpoints) {
      const answer = await ask(gateway, account.key, path, callOf(bodyMax + 1))
      assert.strictEqual(answer.status, 413)
      assert.strictEqual(errorOf(answer, family).type, "request_too_large")
    }
  })

  it("is refused when it is announced, before any of it has come", async () => {
    const answer = await raw((socket) =>
      socket.write(head("/v1/messages", [`content-length: ${bodyMax + 1}`]))
    )
    assert.match(answer, /^HTTP\/1\.1 413 /)
    assert.include(answer, "request_too_large")
    assert.match(answer, /connection: close/i)
  })

  it("is counted as it arrives when it is not announced", async () => {
    const piece = Buffer.alloc(1 << 20, "a")
    const sized = async (bytes: number, isWhole: boolean) =>
      raw((socket) => {
        socket.write(head("/v1/messages", ["transfer-encoding: chunked"]))
        const body = Buffer.from(isWhole ? callOf(bytes) : "a".repeat(bytes))
        for (let at = 0; at < body.length; at += piece.length) {
          const part = body.subarray(at, at + piece.length)
          socket.write(`${part.length.toString(16)}\r\n`)
          socket.write(part)
          socket.write("\r\n")
        }
        if (isWhole) socket.write("0\r\n\r\n")
      })
    assert.match(await sized(bodyMax, true), /^HTTP\/1\.1 200 /)
    assert.match(await sized(bodyMax + 1, false), /^HTTP\/1\.1 413 /)
  })

  it("that never ends is cut off after the refusal", async () => {
    const piece = Buffer.concat([
      Buffer.from(`${(1 << 20).toString(16)}\r\n`),
      Buffer.alloc(1 << 20, "a"),
      Buffer.from("\r\n")
    ])
    const { port } = new URL(gateway.url)
    const socket = connect(Number(port), "127.0.0.1")
    const send = () => {
      if (!socket.destroyed && socket.write(piece)) setImmediate(send)
    }
    let text = ""
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")))
    socket.on("drain", send)
    const closed = new Promise<void>((resolve) => socket.on("error", () => {}).on("close", () => resolve()))
    socket.write(head("/v1/messages", ["transfer-encoding: chunked"]))
    send()
    await closed
    assert.match(text, /^HTTP\/1\.1 413 /)
    assert.include(text, "request_too_large")
  })

  it("is refused for a caller that nobody knows without being read", async () => {
    const answer = await raw((socket) =>
      socket.write(
        `POST /v1/messages HTTP/1.1\r\nhost: gateway\r\nx-api-key: no\r\ncontent-length: ${bodyMax}\r\n\r\n`
      )
    )
    assert.match(answer, /^HTTP\/1\.1 401 /)
  })
})

describe("a compressed body", () => {
  it("is 415, and identity is no compression", async () => {
    for (const [path, body, family] of endpoints) {
      for (const encoding of ["gzip", "br", "zstd", "deflate, gzip"]) {
        const answer = await ask(gateway, account.key, path, gzipSync(JSON.stringify(body)), {
          "content-encoding": encoding
        })
        assert.strictEqual(answer.status, 415)
        assert.strictEqual(errorOf(answer, family).type, "invalid_request_error")
      }
    }
    const plain = await ask(gateway, account.key, "/v1/messages", messagesCall(), {
      "content-encoding": "identity"
    })
    assert.strictEqual(plain.status, 200)
  })
})

const invalid: ReadonlyArray<readonly [string, string | Buffer]> = [
  ["nothing", ""],
  ["white space", " \r\n\t"],
  ["a word", "hello"],
  ["null", "null"],
  ["a number", "1"],
  ["a string", '"x"'],
  ["an array", "[]"],
  ["an empty object", "{}"],
  ["half an object", '{"model":"claude-sonnet-5","max_tokens":1,"messages":[{"role":"user"'],
  ["two objects", '{"model":"claude-sonnet-5"}{"model":"claude-sonnet-5"}'],
  ["a trailing comma", '{"model":"claude-sonnet-5",}'],
  ["single quotes", "{'model':'claude-sonnet-5'}"],
  ["a comment", '{"model":"claude-sonnet-5"/**/}'],
  ["NaN", '{"model":"claude-sonnet-5","max_tokens":NaN,"messages":[]}'],
  ["a raw line feed in a string", '{"model":"claude-\nsonnet-5"}'],
  ["a bad escape", '{"model":"claude-sonnet-5\\x"}'],
  ["a key without a value", '{"model"}'],
  ["a byte order mark alone", Buffer.from([0xef, 0xbb, 0xbf])],
  ["UTF-16", Buffer.from(JSON.stringify(messagesCall()), "utf16le")],
  ["a NUL byte", '\u0000{"model":"claude-sonnet-5"}'],
  ["10,000 open brackets", "[".repeat(10_000)],
  ["10,000 levels of arrays", `${"[".repeat(10_000)}${"]".repeat(10_000)}`],
  ["10,000 levels of objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
  ["no model", JSON.stringify({ ...messagesCall(), model: undefined })]
]

describe("a body that is no request", () => {
  for (const [name, body] of invalid) {
    it(`(${name}) is 400 on every endpoint`, async () => {
      for (const [path, , family] of endpoints) {
        const answer = await ask(gateway, account.key, path, body)
        assert.strictEqual(answer.status, 400, `${path}: ${answer.text}`)
        assert.strictEqual(errorOf(answer, family).type, "invalid_request_error")
      }
    })
  }

  it("(10,000 levels inside a message) is 400, or passed on and answered", async () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`
    const objects = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`
    for (const [path, body] of endpoints) {
      for (const value of [deep, objects]) {
        for (const field of ["messages", "tools", "metadata", "unknown", "input", "prompt"]) {
          const text = JSON.stringify({ ...body, [field]: "@" }).replace('"@"', value)
          const answer = await ask(gateway, account.key, path, text)
          assert.isBelow(answer.status, 500, `${path} ${field}: ${answer.text.slice(0, 300)}`)
        }
      }
    }
  })

  it("(invalid UTF-8 in it) is 400", async () => {
    for (const [path, body] of endpoints) {
      for (const bytes of [
        [0xff],
        [0xc3, 0x28],
        [0xed, 0xa0, 0x80],
        [0xf4, 0x90, 0x80, 0x80],
        [0xc0, 0x80]
      ]) {
        const text = Buffer.from(JSON.stringify({ note: "@", ...body }))
        const at = text.indexOf("@")
        const whole = Buffer.concat([text.subarray(0, at), Buffer.from(bytes), text.subarray(at + 1)])
        const answer = await ask(gateway, account.key, path, whole)
        assert.strictEqual(answer.status, 400, answer.text)
      }
    }
  })
})

describe("after all this", () => {
  it("the gateway has met no fault of its own and answers", async () => {
    assert.notInclude(gateway.output, "fault of the gateway")
    assert.isNull(gateway.exitCode)
    assert.strictEqual((await ask(gateway, account.key, "/v1/messages", messagesCall())).status, 200)
  })
})
