/** Answers as they come over a connection, whole and in pieces, and what is no answer. */
import { assert, describe, it, vi } from "@effect/vitest"
import { AnswerReader, type Reading } from "../../../src/upstream/http1/AnswerReader.ts"
import { Random, seeds } from "../../Random.ts"

interface Read {
  readonly status: number | undefined
  readonly body: string
  readonly outcome: Reading["outcome"]
}

const shared = Buffer.alloc(256 * 1024)

/** What all pieces have brought together; nothing is read behind the end. */
const readPieces = (pieces: ReadonlyArray<Buffer>): Read => {
  const reader = new AnswerReader()
  let status: number | undefined
  let outcome: Reading["outcome"] = "more"
  const body: Array<Buffer> = []
  for (const piece of pieces) {
    if (outcome === "ended" && piece.length > 0) return { status, body: text(body), outcome: "surplus" }
    if (outcome !== "more") break
    // As the bytes of all connections are read into the same memory.
    const reading = reader.read(shared.subarray(0, piece.copy(shared)))
    if (reading.head !== undefined) status = reading.head.status
    if (reading.body !== undefined) body.push(reading.body)
    outcome = reading.outcome
    shared.fill(0, 0, piece.length)
  }
  return { status, body: text(body), outcome }
}
const text = (pieces: ReadonlyArray<Buffer>) => Buffer.concat(pieces).toString("latin1")
const read = (answer: string) => readPieces([Buffer.from(answer, "latin1")])

const head = (lines: string, status = "200 OK") => `HTTP/1.1 ${status}\r\n${lines}\r\n`
const sized = (body: string) => `${head(`Content-Length: ${body.length}\r\n`)}${body}`
const chunked = (chunks: string) => `${head("transfer-encoding: chunked\r\n")}${chunks}`

const good: Record<string, readonly [answer: string, body: string, outcome?: Reading["outcome"]]> = {
  "a body of a length": [sized("hello"), "hello"],
  "an empty body": [sized(""), ""],
  "a length with leading zeros": [head("content-length: 005\r\n") + "hello", "hello"],
  chunks: [chunked("5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n"), "hello!"],
  "sizes in small and capital letters": [
    chunked(`1a\r\n${"x".repeat(26)}\r\n1A\r\n${"y".repeat(26)}\r\n0\r\n\r\n`),
    "x".repeat(26) + "y".repeat(26)
  ],
  "sizes with leading zeros": [chunked("0005\r\nhello\r\n000\r\n\r\n"), "hello"],
  "sizes with many leading zeros": [
    chunked(`${"0".repeat(100)}5\r\nhello\r\n${"0".repeat(100)}\r\n\r\n`),
    "hello"
  ],
  "blanks behind sizes": [chunked("5 \r\nhello\r\n1\t  \r\n!\r\n0 \r\n\r\n"), "hello!"],
  "extensions of chunks": [chunked('5;name=value\r\nhello\r\n0;last;chunk-signature="a b"\r\n\r\n'), "hello"],
  "blanks around extensions": [
    chunked("5 ; name\t=  value ; other \r\nhello\r\n0\t;\tlast\r\n\r\n"),
    "hello"
  ],
  trailers: [chunked("5\r\nhello\r\n0\r\nchecksum: 1\r\nother: 2\r\n\r\n"), "hello"],
  "a trailer that goes on in the next line": [
    chunked("5\r\nhello\r\n0\r\nchecksum: 1\r\n\t2\r\n\r\n"),
    "hello"
  ],
  "a header that goes on in the next line": [
    head("a: b\r\n c\r\n\t d\r\ncontent-length: 5\r\n") + "hello",
    "hello"
  ],
  "the same length told twice": [head("content-length: 5\r\nContent-Length: 5\r\n") + "hello", "hello"],
  "the same length told twice in one line": [head("content-length: 5, 5\r\n") + "hello", "hello"],
  "an empty place in a list of encodings": [
    head("transfer-encoding: , Chunked\r\n") + "5\r\nhello\r\n0\r\n\r\n",
    "hello"
  ],
  "data that looks like the end": [chunked("5\r\n0\r\n\r\n\r\n0\r\n\r\n"), "0\r\n\r\n"],
  "an answer that only informs before it": [
    `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${sized("hi")}`,
    "hi"
  ],
  "several of them": [`${"HTTP/1.1 100 Continue\r\n\r\n".repeat(3)}${sized("hi")}`, "hi"],
  "empty lines before its head, as some servers send": [`\r\n\r\n${sized("hi")}`, "hi"],
  "an empty line behind what only informs": [`HTTP/1.1 100 Continue\r\n\r\n\r\n${sized("hi")}`, "hi"],
  "no words behind the status": ["HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nhi", "hi"],
  "other letters in words and values": [
    head("content-length: 2\r\nserver: \xe9t\xe9\r\n", "200 G\xfct") + "hi",
    "hi"
  ],
  "no body where none can be": [head("content-length: 5\r\n", "204 No Content"), ""],
  "a body until the connection ends": [head("server: x\r\n") + "hello", "hello", "more"],
  "the end of a connection told in a header": [head("connection: close\r\n") + "hello", "hello", "more"]
}

const broken: Record<string, string> = {
  "another protocol": "SSH-2.0-OpenSSH_9.6\r\n\r\n",
  "another version": "HTTP/2.0 200 OK\r\ncontent-length: 0\r\n\r\n",
  "a later version": "HTTP/1.2 200 OK\r\ncontent-length: 0\r\n\r\n",
  "a status of two digits": "HTTP/1.1 20 OK\r\n\r\n",
  "a status of four digits": "HTTP/1.1 2000 OK\r\n\r\n",
  "a change of protocol": head("upgrade: websocket\r\n", "101 Switching Protocols"),
  "a header without a name": head(": x\r\n"),
  "a header without a colon": head("content-length\r\n"),
  "a space before the colon": head("content-length : 5\r\n") + "hello",
  "a first header that goes on from nowhere": head(" a: b\r\ncontent-length: 0\r\n"),
  "a length that goes on in the next line": head("content-length: 5\r\n 5\r\n") + "hello",
  "a length in the next line": head("content-length:\r\n 5\r\n") + "hello",
  "an encoding in the next line": head("a: b\r\nTransfer-Encoding:\r\n chunked\r\n") + "0\r\n\r\n",
  "an end in the next line": head("connection:\r\n close\r\ncontent-length: 0\r\n"),
  "a line that ends without carriage return": head("a: b\ncontent-length: 0\r\n"),
  "a carriage return within a line": head("a: b\rc\r\ncontent-length: 0\r\n"),
  "a zero byte": head("a: \0\r\ncontent-length: 0\r\n"),
  "a length and chunks": head("content-length: 5\r\ntransfer-encoding: chunked\r\n") + "0\r\n\r\n",
  "two lengths in one line": head("content-length: 5, 6\r\n") + "hello",
  "the same length written in two ways": head("content-length: 5\r\ncontent-length: 05\r\n") + "hello",
  "two lengths": head("content-length: 5\r\ncontent-length: 6\r\n") + "hello",
  "a negative length": head("content-length: -1\r\n"),
  "a length with a sign": head("content-length: +5\r\n") + "hello",
  "a length behind a space of another kind": head("content-length: \xa05\r\n") + "hello",
  "a length in hex": head("content-length: 0x5\r\n") + "hello",
  "a length beyond numbers": head("content-length: 99999999999999999999\r\n"),
  "chunks told twice": head("transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n") + "0\r\n\r\n",
  "chunks in an old version": "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
  "a chunk without a size": chunked("\r\nhello\r\n"),
  "a size that is no number": chunked("xyz\r\nhello\r\n"),
  "a size in hex notation": chunked("0x5\r\nhello\r\n"),
  "a negative size": chunked("-5\r\nhello\r\n"),
  "a size beyond numbers": chunked(`${"f".repeat(13)}\r\n`),
  "more behind the blank behind a size": chunked("5 5\r\nhello\r\n0\r\n\r\n"),
  "a blank before a size": chunked(" 5\r\nhello\r\n0\r\n\r\n"),
  "a blank alone as a size": chunked(" \r\nhello\r\n0\r\n\r\n"),
  "a trailer that goes on from nowhere": chunked("0\r\n a: b\r\n\r\n"),
  "endless zeros before a size": chunked("0".repeat(20_000)),
  "endless blanks behind a size": chunked(`5${" ".repeat(20_000)}`),
  "an extension without a name": chunked("5;\r\nhello\r\n0\r\n\r\n"),
  "a trailer without a name": chunked("0\r\n: b\r\n\r\n"),
  "a trailer without a colon": chunked("0\r\nhello\r\n\r\n"),
  "a size that ends without carriage return": chunked("5\nhello\r\n"),
  "a carriage return without line feed": chunked("5\rxhello\r\n"),
  "a chunk longer than it says": chunked("5\r\nhello!\r\n0\r\n\r\n"),
  "a trailer that ends without carriage return": chunked("0\r\na: b\n\r\n"),
  "endless extensions": chunked(`5;${"x".repeat(20_000)}`),
  "endless trailers": chunked(`0\r\n${"a: b\r\n".repeat(10_000)}`),
  "endless trailers without values": chunked(`0\r\n${"a:\r\n".repeat(20_000)}`),
  "an empty length beside one": head("content-length:\r\ncontent-length: 5\r\n") + "hello",
  "an empty place in its length": head("content-length: ,5\r\n") + "hello",
  "endless empty lines": "\r\n".repeat(20_000),
  "a carriage return before its head": `\r${sized("hi")}`,
  "too many headers": head("a: b\r\n".repeat(300)),
  "endless heads that only inform": "HTTP/1.1 102 Processing\r\n\r\n".repeat(300),
  "heads that only inform, too long together":
    `HTTP/1.1 103 Early Hints\r\nlink: ${"x".repeat(10_000)}\r\n\r\n`.repeat(4),
  "a head too long that comes whole": `${head("a: b\r\n".repeat(12_000))}`,
  "an endless head": `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(12_000)}`
}

describe("an answer", () => {
  for (const [name, [answer, body, outcome = "ended"]] of Object.entries(good)) {
    it(`with ${name} is read, wherever it is cut`, () => {
      const status = answer.startsWith("HTTP/1.1 204") || answer.includes(" 204 ") ? 204 : 200
      assert.deepStrictEqual(read(answer), { status, body, outcome })
      const bytes = Buffer.from(answer, "latin1")
      const single = [...bytes].map((byte) => Buffer.of(byte))
      assert.deepStrictEqual(readPieces(single), { status, body, outcome })
      for (let cut = 1; cut < bytes.length; cut++)
        assert.deepStrictEqual(readPieces([bytes.subarray(0, cut), bytes.subarray(cut)]), {
          status,
          body,
          outcome
        })
    })
  }

  it.each(["gzip", "gzip, chunked", "Chunked, gzip", "chunked, deflate, chunked"])(
    "that comes encoded (%s), which nobody has asked for, is refused by that name",
    (encoding) =>
      assert.strictEqual(
        read(`${head(`transfer-encoding: ${encoding}\r\n`)}5\r\nhello\r\n0\r\n\r\n`).outcome,
        "encoded"
      )
  )

  it.each(Object.entries(broken))("with %s is none, wherever it is cut", (_, answer) => {
    assert.strictEqual(read(answer).outcome, "broken")
    const bytes = Buffer.from(answer, "latin1")
    assert.strictEqual(readPieces([...bytes].map((byte) => Buffer.of(byte))).outcome, "broken")
  })

  it.each([
    "HTTP/1.1 200 OK\ncontent-length: 5\n\nhello",
    "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\nhello",
    "HTTP/1.1 200 OK\r\ncontent-length: 5\n\r\nhello",
    "\nHTTP/1.1 200 OK\r\n",
    "SSH-2.0-OpenSSH_9.6\r\n",
    "\x15\x03\x01\x00\x02\x02\x46",
    "<html>"
  ])("whose head can never end is none at once: %j", (answer) => {
    assert.strictEqual(read(answer).outcome, "broken")
    assert.strictEqual(readPieces([...answer].map((each) => Buffer.from(each, "latin1"))).outcome, "broken")
  })

  it("whose head comes byte by byte has each byte of it copied a few times at most", () => {
    const bytes = Buffer.from(head(`a: ${"x".repeat(100)}\r\n`.repeat(250)))
    let copied = 0
    const copy = vi.spyOn(Buffer.prototype, "copy")
    copy.mockImplementation(function (this: Buffer, target: unknown, at: unknown) {
      copied += this.length
      ;(target as Buffer).set(this, at as number)
      return this.length
    })
    const reader = new AnswerReader()
    for (const byte of bytes) reader.read(Buffer.of(byte))
    copy.mockRestore()
    assert.strictEqual(reader.head?.status, 200)
    assert.isBelow(copied, 5 * bytes.length)
  })

  it("may come behind as many heads that only inform as a patient provider sends", () => {
    const patience = "HTTP/1.1 102 Processing\r\n\r\n".repeat(200)
    assert.deepStrictEqual(read(patience + sized("hi")), { status: 200, body: "hi", outcome: "ended" })
  })

  it("gives what came before it broke", () => {
    assert.deepStrictEqual(read(chunked("5\r\nhello\r\nx")), {
      status: 200,
      body: "hello",
      outcome: "broken"
    })
  })

  it.each([sized("hello"), chunked("5\r\nhello\r\n0\r\n\r\n"), head("", "204 No Content")])(
    "that is followed by more has ended all the same",
    (answer) => {
      const surplus = read(`${answer}HTTP/1.1 200 OK\r\n\r\n`)
      assert.strictEqual(surplus.outcome, "surplus")
      assert.strictEqual(surplus.body, read(answer).body)
    }
  )

  it.each([
    ["HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", true],
    ["HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: Keep-Alive\r\n\r\n", true],
    ["HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: Close\r\n\r\n", false],
    ["HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: x, close\r\n\r\n", false],
    ["HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n", false],
    ["HTTP/1.0 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n", true],
    ["HTTP/1.1 200 OK\r\n\r\n", false],
    ["HTTP/1.1 204 No Content\r\n\r\n", true],
    ["HTTP/1.1 304 Not Modified\r\ncontent-length: 0\r\n\r\n", true],
    ["HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n", false],
    ["HTTP/1.1 304 Not Modified\r\ntransfer-encoding: chunked\r\n\r\n", false]
  ])("says whether another may follow: %j", (answer, keepsAlive) => {
    assert.strictEqual(new AnswerReader().read(Buffer.from(answer)).head?.keepsAlive, keepsAlive)
  })

  it("makes one piece of all chunks that come at once", () => {
    const reading = new AnswerReader().read(Buffer.from(chunked("1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n")))
    assert.strictEqual(reading.body?.toString(), "abcdef")
  })

  it("keeps no more memory than its data takes, whatever stands between them", () => {
    const bytes = Buffer.from(chunked(`1;${"x".repeat(10_000)}\r\na\r\n`.repeat(6)))
    const { body } = new AnswerReader().read(bytes)
    assert.strictEqual(body?.toString(), "aaaaaa")
    assert.isBelow(body!.buffer.byteLength, bytes.length / 2)
  })

  it.each(seeds(20))("of any chunks in any pieces is their data (seed %i)", (seed) => {
    const random = new Random(seed)
    const data = Array.from({ length: random.below(40) }, () =>
      "é\r\n0\r\n\r\nab".repeat(1 + random.below(2_000)).slice(0, 1 + random.below(9_000))
    )
    const chunks = data.map((each) => `${each.length.toString(16)}\r\n${each}\r\n`)
    const bytes = Buffer.from(chunked(`${chunks.join("")}0\r\n\r\n`), "latin1")
    const pieces: Array<Buffer> = []
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + random.below(random.chance(0.5) ? 20 : 30_000)
      pieces.push(bytes.subarray(at, end))
      at = end
    }
    assert.deepStrictEqual(readPieces(pieces), { status: 200, body: data.join(""), outcome: "ended" })
  })
})
