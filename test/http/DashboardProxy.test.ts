/** What of a request the dashboard's thread is told, and what is answered where it can not be asked. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { HttpRequest } from "uWebSockets.js"
import type { CallId } from "../../src/domain/ids.ts"
import { BodyTooLarge, NoRoomForBody } from "../../src/gateway/Client.ts"
import { DashboardProxy, startMaxMs } from "../../src/http/DashboardProxy.ts"
import type { DashboardPlaces } from "../../src/http/DashboardPlaces.ts"
import type { Exchange } from "../../src/http/Exchange.ts"
import { Unsent } from "../../src/http/Unsent.ts"
import { listen } from "../listen.ts"

type Headers = Readonly<Record<string, string>>
interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly isDropped: boolean
}

const requestOf = (headers: Headers) =>
  ({
    forEach: (told: (name: string, value: string) => void) => {
      for (const [name, value] of Object.entries(headers)) told(name, value)
    }
  }) as unknown as HttpRequest

const placesOf = (count: number) => {
  const left = { free: count, taken: 0 }
  const places = {
    take: () => {
      if (left.free === 0) return undefined
      left.free--
      left.taken++
      return { letGo: () => {}, leave: () => void left.free++ }
    }
  } as unknown as DashboardPlaces
  return { left, places }
}

/** Passes one request on, and waits for the end of its answer. */
const pass = (
  proxy: DashboardProxy["Service"],
  headers: Headers = {},
  {
    body = Effect.succeed(Buffer.alloc(0)) as unknown,
    places = placesOf(1).places,
    method = "GET",
    path = "/dashboard/api/session"
  } = {}
) =>
  Effect.callback<Answered>((resume) => {
    let status = 0
    let told: Headers = {}
    let text = ""
    const end = (isDropped = false) => resume(Effect.succeed({ status, headers: told, text, isDropped }))
    const start = (code: number, names: ReadonlyArray<readonly [string, string]>) => {
      status = code
      told = Object.fromEntries(names)
    }
    const exchange = {
      method,
      path,
      query: "a=1",
      address: "203.0.113.9",
      toldAddress: undefined,
      remoteAddress: "203.0.113.9",
      body,
      get isStarted() {
        return status !== 0
      },
      onAbort: () => {},
      start,
      write: (chunk: Buffer) => (text += chunk.toString()) !== "",
      whenWritable: () => {},
      end: () => end(),
      drop: () => end(true),
      respond: (code: number, names: ReadonlyArray<readonly [string, string]>, what: string | Unsent) => {
        start(code, names)
        text = what instanceof Unsent ? `${what.bytes} unsent` : what
        end()
      }
    } as unknown as Exchange
    proxy.serve(exchange, requestOf(headers), places, "req_1" as CallId)
  })

const dashboard = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(answer)
      return { server, url: `http://127.0.0.1:${await listen(server)}` }
    }),
    ({ server }) => Effect.sync(() => (server.close(), server.closeAllConnections()))
  )

describe("a request for the dashboard", () => {
  it.effect("says who asks in words of ours alone, and keeps what belongs to a connection", () =>
    Effect.gen(function* () {
      const proxy = yield* DashboardProxy
      const { url } = yield* dashboard((request, response) => {
        response.setHeader("x-own", "kept").end(JSON.stringify([request.url, request.headers]))
      })
      proxy.aim({ url, secret: "s3cret" })
      const asked = {
        host: "tollgate.example",
        cookie: "a=b",
        "x-real-ip": "127.0.0.1",
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-proto": "https",
        "x-tollgate-internal": "guessed",
        "request-id": "guessed",
        "x-request-id": "guessed",
        upgrade: "websocket"
      }
      const answer = yield* pass(proxy, asked)
      const [path, headers] = JSON.parse(answer.text) as [string, Headers]
      assert.strictEqual(path, "/dashboard/api/session?a=1")
      assert.deepInclude(headers, {
        cookie: "a=b",
        "x-real-ip": "203.0.113.9",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "tollgate.example",
        "x-request-id": "req_1",
        "x-tollgate-internal": "s3cret"
      })
      for (const name of ["upgrade", "x-forwarded-for", "request-id"]) assert.notProperty(headers, name)
      assert.strictEqual(answer.headers["x-own"], "kept")
      for (const name of ["connection", "date", "content-length"]) assert.notProperty(answer.headers, name)
    }).pipe(Effect.provide(DashboardProxy.layer), Effect.scoped)
  )

  it.effect("has the bytes of headers that its client sent, be they no ASCII", () =>
    Effect.gen(function* () {
      const proxy = yield* DashboardProxy
      const { url } = yield* dashboard((request, response) => {
        response.end(Buffer.from(request.headers.cookie!, "latin1"))
      })
      proxy.aim({ url, secret: "s" })
      const cookie = "name=Nguyễn 😀"
      assert.strictEqual((yield* pass(proxy, { cookie })).text, cookie)
    }).pipe(Effect.provide(DashboardProxy.layer), Effect.scoped)
  )

  it.effect("says the word of the one that is there when all of it has come", () =>
    Effect.gen(function* () {
      const proxy = yield* DashboardProxy
      const { url } = yield* dashboard((request, response) => {
        response.end(request.headers["x-tollgate-internal"])
      })
      const body = Effect.sync(() => {
        proxy.aim({ url, secret: "new" })
        return Buffer.from("{}")
      })
      for (const before of [undefined, { url, secret: "old" }]) {
        proxy.aim(before)
        assert.strictEqual((yield* pass(proxy, {}, { body, method: "POST" })).text, "new")
      }
    }).pipe(Effect.provide(DashboardProxy.layer), Effect.scoped)
  )

  it.effect.each([
    ["where it does not come", Effect.succeed(Buffer.alloc(0)), 503, "unavailable"],
    ["with too large a body", Effect.fail(new BodyTooLarge()), 413, "too_large"],
    ["with a body that there is no room for", Effect.fail(new NoRoomForBody()), 503, "unavailable"]
  ] as const)("is answered %s", ([, body, status, code]) =>
    Effect.gen(function* () {
      const proxy = yield* DashboardProxy
      for (const path of ["/api/keys", "/dashboard/api/session", "/dashboard/keys", "/webhooks/sepay"]) {
        const answering = yield* Effect.forkChild(pass(proxy, {}, { body, path }), { startImmediately: true })
        yield* TestClock.adjust(startMaxMs)
        const answer = yield* Fiber.join(answering)
        assert.strictEqual(answer.status, status)
        assert.strictEqual(answer.headers["retry-after"], status === 503 ? "2" : undefined)
        const isJson = answer.headers["content-type"] === "application/json; charset=utf-8"
        assert.strictEqual(isJson, path.includes("/api/"))
        if (isJson) assert.strictEqual(JSON.parse(answer.text).error.code, code)
      }
    }).pipe(Effect.provide(DashboardProxy.layer))
  )

  it.effect("waits for the dashboard while that starts", () =>
    Effect.gen(function* () {
      const proxy = yield* DashboardProxy
      const { url } = yield* dashboard((request, response) => {
        response.end(request.headers["x-tollgate-internal"])
      })
      const { left, places } = placesOf(1)
      for (const secret of ["first", "after it died"]) {
        const answering = yield* Effect.forkChild(pass(proxy, {}, { places }), { startImmediately: true })
        assert.strictEqual(left.free, 0)
        assert.strictEqual((yield* pass(proxy, {}, { places })).status, 503)
        proxy.aim({ url, secret })
        assert.strictEqual((yield* Fiber.join(answering)).text, secret)
        assert.strictEqual(left.free, 1)
        proxy.aim(undefined)
      }
    }).pipe(Effect.provide(DashboardProxy.layer), Effect.scoped)
  )

  it.effect("that is a HEAD has the length that the dashboard tells, and none where that tells none", () =>
    Effect.gen(function* () {
      const proxy = yield* DashboardProxy
      const { url } = yield* dashboard((request, response) => {
        if (request.url!.startsWith("/dashboard/known")) response.setHeader("content-length", "70000")
        else response.setHeader("transfer-encoding", "chunked")
        response.end()
      })
      proxy.aim({ url, secret: "s" })
      const head = (path: string) => pass(proxy, {}, { method: "HEAD", path })
      assert.strictEqual((yield* head("/dashboard/known")).text, "70000 unsent")
      assert.strictEqual((yield* head("/dashboard/streamed")).text, "undefined unsent")
    }).pipe(Effect.provide(DashboardProxy.layer), Effect.scoped)
  )

  it.effect("keeps its answer where the dashboard stays and is told of anew", () =>
    Effect.gen(function* () {
      const proxy = yield* DashboardProxy
      const { url } = yield* dashboard((request, response) => {
        response.write("one ")
        proxy.aim({ url: `http://${request.headers.host}`, secret: "next" })
        response.end("two")
      })
      proxy.aim({ url, secret: "s" })
      assert.deepInclude(yield* pass(proxy, { host: new URL(url).host }), {
        status: 200,
        text: "one two",
        isDropped: false
      })
    }).pipe(Effect.provide(DashboardProxy.layer), Effect.scoped)
  )

  it.effect("is refused where all places are taken, and gives its own back when it is over", () =>
    Effect.gen(function* () {
      const proxy = yield* DashboardProxy
      const { url } = yield* dashboard((_, response) => void response.end("ok"))
      proxy.aim({ url, secret: "s" })
      const { left, places } = placesOf(1)
      assert.strictEqual((yield* pass(proxy, {}, { places })).text, "ok")
      assert.strictEqual((yield* pass(proxy, {}, { places })).text, "ok")
      assert.deepStrictEqual(left, { free: 1, taken: 2 })
      assert.strictEqual((yield* pass(proxy, {}, { places: placesOf(0).places })).status, 503)
    }).pipe(Effect.provide(DashboardProxy.layer), Effect.scoped)
  )

  it.effect(
    "is told of a dashboard that dies: by 502 before its answer, by a broken connection within it",
    () =>
      Effect.gen(function* () {
        const proxy = yield* DashboardProxy
        const { left, places } = placesOf(2)
        const dead = yield* dashboard((request) => void request.socket.destroy())
        proxy.aim({ url: dead.url, secret: "s" })
        const told = yield* pass(proxy, {}, { places })
        assert.strictEqual(told.status, 502)
        assert.deepStrictEqual(JSON.parse(told.text), {
          error: {
            code: "unavailable",
            message: "The dashboard can't be opened right now. Please try again in a few minutes."
          }
        })
        const page = yield* pass(proxy, {}, { places, path: "/dashboard/usage" })
        assert.deepInclude(page, {
          status: 502,
          text:
            "Trang quản lý tạm thời không mở được. Hãy thử lại sau ít phút.\n" +
            "The dashboard can't be opened right now. Please try again in a few minutes.\n"
        })
        const dying = yield* dashboard((request, response) => {
          response.writeHead(200, { "content-length": "100" })
          response.write("half", () => request.socket.destroy())
        })
        proxy.aim({ url: dying.url, secret: "s" })
        assert.deepInclude(yield* pass(proxy, {}, { places }), { status: 200, isDropped: true })
        assert.strictEqual(left.free, 2)
      }).pipe(Effect.provide(DashboardProxy.layer), Effect.scoped)
  )
})
