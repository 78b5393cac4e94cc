/** Whatever a provider sends: what we take for an answer, undici takes for the same one, and the other way round. */
import { assert, afterAll, beforeAll, describe, it } from "vitest"
import { createServer, type Socket } from "node:net"
import { AnswerReader } from "../../../src/upstream/http1/AnswerReader.ts"
import { ConnectionPool } from "../../../src/upstream/http1/ConnectionPool.ts"
import { endpointOf } from "../../../src/upstream/http1/Endpoint.ts"
import { listen } from "../../listen.ts"
import { Random, seeds } from "../../Random.ts"
import { collect } from "./collect.ts"
import { soundAnswer, spoilt } from "./random-answers.ts"
import { type ReadAnswer, undiciReads } from "./undici-reads.ts"

const casesOfSeed = 1_500
const atOnce = 50

/** What we make of an answer that comes in pieces and ends with its connection. */
const weRead = (answer: Buffer, random: Random): ReadAnswer | undefined => {
  const reader = new AnswerReader()
  const body: Array<Buffer> = []
  let outcome = "more"
  for (let at = 0; at < answer.length && outcome === "more";) {
    const end = random.chance(0.5) ? answer.length : at + 1 + random.below(30)
    const reading = reader.read(answer.subarray(at, end))
    if (reading.body !== undefined) body.push(reading.body)
    outcome = reading.outcome
    at = end
  }
  const { head } = reader
  if (head === undefined || outcome === "broken" || (outcome === "more" && head.framing !== "close"))
    return undefined
  const type = String(head.headers["content-type"])
  return { status: head.status, type, body: Buffer.concat(body).toString("latin1") }
}

/**
 * undici is stricter with blanks behind a length and equal lengths, with values that go on in the next line and with a
 * `100 Continue` that nobody waits for, all of which RFC 9110 and 9112 allow, with blanks behind sizes, which nobody uses, and
 * with heads of the former version that only inform.
 */
const onlyWeRead =
  /content-length:[ \t]*\d+[ \t,]|(content-length: *5\r\n.*){2}|\r\n[\t ]|(^|\r\n)HTTP\/1.(1 100|0 1)|\r\n[0-9a-f]+[\t ]*[;\r]/is

/**
 * undici takes what is encoded in a way that nobody has asked for, or that nobody knows, for the answer itself, as long as its connection
 * lasts; it does not look at the words behind a status, nor for the line feed behind a carriage return, and passes over one alone before a head.
 */
const onlyUndiciReads =
  /transfer-encoding:|\r[^\n]|(^|\r\n\r\n)(\r\n)*\n|(^|\r\n)HTTP\/1\.[01] \d{3} [^\r]*\0/i

/** It takes no blank behind the only encoding, nor an empty place in a list of them, for nothing. */
const undiciMisreads = /transfer-encoding:[^\r]*[\t,]/i

const compare = (answer: Buffer, ours: ReadAnswer | undefined, theirs: ReadAnswer | undefined): void => {
  const text = answer.toString("latin1")
  if (ours !== undefined && theirs !== undefined) {
    if (!undiciMisreads.test(text)) assert.deepStrictEqual(ours, theirs, JSON.stringify(text))
  } else if (ours !== undefined) assert.match(text, onlyWeRead, "only we have read it")
  else if (theirs !== undefined) assert.match(text, onlyUndiciReads, "only undici has read it")
}

describe("an answer", () => {
  it.each(seeds(3))("that is sound or spoilt is read as undici reads it (seed %i)", async (seed) => {
    const random = new Random(seed)
    for (let count = 0; count < casesOfSeed; count += atOnce) {
      const answers = Array.from({ length: atOnce }, () => {
        const faults = random.below(4)
        let text = soundAnswer(random)
        for (let fault = 0; fault < faults; fault++) text = spoilt(text, random)
        return { answer: Buffer.from(text, "latin1"), isSound: faults === 0 }
      })
      const theirs = await Promise.all(answers.map(({ answer }) => undiciReads(answer)))
      for (const [index, { answer, isSound }] of answers.entries()) {
        const ours = weRead(answer, random)
        if (isSound) assert.deepStrictEqual(ours, theirs[index], JSON.stringify(answer.toString("latin1")))
        if (isSound) assert.isDefined(ours)
        compare(answer, ours, theirs[index])
      }
    }
  })

  it.each<[string, string, { readonly we?: string; readonly undici?: string }]>([
    ["leading zeros", "\r\n\r\n00000000000000000005\r\nhello\r\n0\r\n\r\n", { we: "hello", undici: "hello" }],
    ["an extension", '\r\n\r\n5;a="b c"\r\nhello\r\n0\r\n\r\n', { we: "hello", undici: "hello" }],
    ["an empty place", ", \r\n\r\n5\r\nhello\r\n0\r\n\r\n", { we: "hello" }],
    ["blanks around an extension", "\r\n\r\n5 ; a = b\r\nhello\r\n0\r\n\r\n", { we: "hello" }],
    ["blanks behind a size", "\r\n\r\n5 \r\nhello\r\n0\r\n\r\n", { we: "hello" }],
    ["a length beside", "\r\ncontent-length: 5\r\n\r\n5\r\nhello\r\n0\r\n\r\n", {}],
    ["a bare line feed behind a size", "\r\n\r\n5\nhello\r\n0\r\n\r\n", {}],
    ["a chunk that is too long", "\r\n\r\n4\r\nhello\r\n0\r\n\r\n", {}],
    ["a second encoding", ", gzip\r\n\r\n5\r\nhello\r\n0\r\n\r\n", { undici: "5\r\nhello\r\n0\r\n\r\n" }]
  ])("in chunks with %s is read, or not, for a reason: %j", async (_, rest, { undici, we }) => {
    const answer = Buffer.from(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked${rest}`)
    assert.strictEqual(weRead(answer, new Random(1))?.body, we)
    if (undici !== undefined || we === undefined)
      assert.strictEqual((await undiciReads(answer))?.body, undici)
  })

  it.each<[string, string, { readonly we?: string; readonly undici?: string }]>([
    ["the same length twice", "content-length: 5\r\ncontent-length: 5", { we: "hello" }],
    ["two lengths", "content-length: 5\r\ncontent-length: 4", {}],
    ["a value that goes on in the next line", "content-length: 5\r\na: b\r\n c", { we: "hello" }],
    ["a length that goes on in the next line", "content-length:\r\n 5", {}],
    ["a name that is not its own", "__proto__: x\r\ncontent-length: 5", { we: "hello", undici: "hello" }],
    ["a bare line feed", "a: b\ncontent-length: 5", {}],
    ["gzip around its chunks", "transfer-encoding: gzip, chunked", {}]
  ])("whose head has %s is read, or not, for a reason", async (_, lines, { undici, we }) => {
    const answer = Buffer.from(`HTTP/1.1 200 OK\r\n${lines}\r\n\r\nhello`)
    assert.strictEqual(weRead(answer, new Random(1))?.body, we)
    if (undici !== undefined || we === undefined)
      assert.strictEqual((await undiciReads(answer))?.body, undici)
  })
})

let answer = Buffer.alloc(0)
const sockets = new Set<Socket>()
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on("close", () => sockets.delete(socket))
  socket.on("error", () => {})
  socket.on("data", () => socket.end(answer))
})
let origin = ""
beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(server)}`
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

describe("an answer over a connection", () => {
  it.each(seeds(1))("is read as it is without one (seed %i)", async (seed) => {
    const random = new Random(seed)
    for (let count = 0; count < 150; count++) {
      answer = Buffer.from(
        count % 2 === 0 ? soundAnswer(random) : spoilt(soundAnswer(random), random),
        "latin1"
      )
      const pool = new ConnectionPool(endpointOf(origin))
      const read = await collect(pool, { path: "/", headers: {}, body: Buffer.from("{}") })
      pool.close()
      assert.deepStrictEqual(read, weRead(answer, random), JSON.stringify(answer.toString("latin1")))
    }
  })
})
