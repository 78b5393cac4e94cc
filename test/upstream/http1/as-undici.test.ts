/** Whatever a provider sends: what we take for an answer, undici takes for the same one. */
import { assert, afterAll, beforeAll, describe, it } from "vitest"
import { createServer, type Socket } from "node:net"
import { Client } from "undici"
import { ConnectionPool } from "../../../src/upstream/http1/ConnectionPool.ts"
import { endpointOf } from "../../../src/upstream/http1/Endpoint.ts"
import { listen } from "../../listen.ts"
import { Random, seeds } from "../../Random.ts"
import { collect } from "./collect.ts"

const casesOfSeed = 150

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

const ours = async () => {
  const pool = new ConnectionPool(endpointOf(origin))
  const read = await collect(pool, { path: "/", headers: {}, body: Buffer.from("{}") })
  pool.close()
  return read
}

const undicis = async () => {
  const client = new Client(origin, { pipelining: 1 })
  try {
    const { body, headers, statusCode } = await client.request({ method: "POST", path: "/", body: "{}" })
    const bytes = Buffer.from(await body.arrayBuffer())
    // undici leaves tabs behind a value.
    const type = String(headers["content-type"]).trim()
    return { status: statusCode, type, body: bytes.toString("latin1") }
  } catch {
    return undefined
  } finally {
    await client.destroy()
  }
}

const valid = (random: Random): string => {
  const body = 'data: {"x":1}\r\n\r\n0\r\n\r\n'.repeat(random.below(4))
  const status = random.pick(["200 OK", "429 Too Many Requests", "500", "204 No Content"])
  const interim = random.chance(0.2) ? "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" : ""
  const type = "content-type: text/plain\r\n"
  const start = `${interim}HTTP/1.1 ${status}\r\n${type}`
  if (status.startsWith("204")) return `${start}\r\n`
  if (random.chance(0.2)) return `${start}connection: close\r\n\r\n${body}`
  if (random.chance(0.4)) return `${start}Content-Length: ${body.length}\r\n\r\n${body}`
  const middle = random.below(body.length + 1)
  const chunk = (data: string) => (data === "" ? "" : `${data.length.toString(16)}\r\n${data}\r\n`)
  const extension = random.chance(0.2) ? ";a=b" : ""
  return `${start}Transfer-Encoding: chunked\r\n\r\n${chunk(body.slice(0, middle))}${chunk(body.slice(middle))}0${extension}\r\n\r\n`
}

/** Bytes that matter to the protocol, put in, taken out or put in place of others. */
const spoilt = (text: string, random: Random): string => {
  const place = random.below(text.length + 1)
  const put = random.pick([
    "\r\n",
    "\n",
    "\r",
    " ",
    "0",
    "5",
    "a",
    ":",
    ",",
    ";",
    "\0",
    "\t",
    "-",
    "\xff",
    "chunked"
  ])
  return text.slice(0, place) + (random.chance(0.3) ? "" : put) + text.slice(place + random.below(3))
}

/**
 * undici is stricter with blanks behind a length, with values that go on in the next line and with a `100 Continue` that nobody
 * waits for, all of which RFC 9110 and 9112 allow, and with blanks and extensions behind sizes, which nobody uses.
 */
const isReadFreely = /content-length: *\d+[ \t]|\r\n[\t ]|^HTTP\/1.1 100|\r\n[0-9a-f]+[\t ]*[;\r]/i

describe("an answer", () => {
  it.each(seeds(2))("that is sound is read as undici reads it (seed %i)", async (seed) => {
    const random = new Random(seed)
    for (let count = 0; count < casesOfSeed; count++) {
      answer = Buffer.from(valid(random), "latin1")
      const theirs = await undicis()
      assert.isDefined(theirs, JSON.stringify(answer.toString("latin1")))
      assert.deepStrictEqual(await ours(), theirs, JSON.stringify(answer.toString("latin1")))
    }
  })

  it.each(seeds(4))("that is spoilt is read as undici reads it, or not at all (seed %i)", async (seed) => {
    const random = new Random(seed)
    for (let count = 0; count < casesOfSeed; count++) {
      answer = Buffer.from(spoilt(valid(random), random), "latin1")
      const read = await ours()
      if (read === undefined || isReadFreely.test(answer.toString("latin1"))) continue
      assert.deepStrictEqual(read, await undicis(), JSON.stringify(answer.toString("latin1")))
    }
  })
})
