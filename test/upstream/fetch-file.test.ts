import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import {
  anyRoom,
  imageAt,
  local,
  makeFetcher,
  png,
  reasonOf,
  servePng,
  settled,
  startServer
} from "./file-server.ts"

describe("an image by URL", () => {
  it.effect("is fetched, and known by its bytes", () =>
    Effect.gen(function* () {
      const server = yield* startServer((_request, response) => {
        response.setHeader("content-type", "text/plain")
        response.end(png)
      })
      const fetcher = yield* makeFetcher(local)
      const image = yield* fetcher.fetch(imageAt(`${server.origin}/cat.png`), anyRoom)
      assert.deepStrictEqual(image, { bytes: png, mediaType: "image/png" })
    })
  )

  it.effect("is refused when it is something else, whatever its type says", () =>
    Effect.gen(function* () {
      const server = yield* startServer((_request, response) => {
        response.setHeader("content-type", "image/png")
        response.end("<html>secret</html>")
      })
      const fetcher = yield* makeFetcher(local)
      assert.strictEqual(yield* reasonOf(fetcher, server.origin), "it is not a PNG, JPEG, WebP or GIF image")
    })
  )

  it.effect("is refused when its server answers with an error, or not at all", () =>
    Effect.gen(function* () {
      const server = yield* startServer((_request, response) => response.writeHead(403).end(png))
      const fetcher = yield* makeFetcher(local)
      assert.strictEqual(yield* reasonOf(fetcher, server.origin), "its server answered 403")
      server.close()
      assert.strictEqual(yield* settled(reasonOf(fetcher, server.origin)), "it could not be fetched")
    })
  )

  it.effect("is refused over 20 MiB, declared or not", () =>
    Effect.gen(function* () {
      const mebibyte = Buffer.alloc(1024 * 1024)
      const server = yield* startServer((request, response) => {
        if (request.url === "/declared") {
          response.writeHead(200, { "content-length": 20 * 1024 * 1024 + 1 })
          response.write(png)
          return
        }
        response.write(png)
        const more = () => {
          while (!response.destroyed && response.write(mebibyte));
        }
        response.on("drain", more)
        more()
      })
      const fetcher = yield* makeFetcher(local)
      assert.strictEqual(yield* reasonOf(fetcher, `${server.origin}/declared`), "the image is too large")
      assert.strictEqual(yield* reasonOf(fetcher, `${server.origin}/endless`), "the image is too large")
    })
  )

  it.effect("is given up after 15 seconds", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const server = yield* startServer(() => Deferred.doneUnsafe(asked, Effect.void))
      const fetcher = yield* makeFetcher(local)
      const fiber = yield* Effect.forkChild(reasonOf(fetcher, server.origin))
      yield* Deferred.await(asked)
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "it took too long")
    })
  )

  it.effect("is followed through three redirects, not four", () =>
    Effect.gen(function* () {
      const server = yield* startServer((request, response) => {
        const left = Number(request.url!.slice(1))
        if (left === 0) response.end(png)
        else response.writeHead(302, { location: `/${left - 1}` }).end()
      })
      const fetcher = yield* makeFetcher(local)
      assert.strictEqual(
        (yield* fetcher.fetch(imageAt(`${server.origin}/3`), anyRoom)).mediaType,
        "image/png"
      )
      assert.strictEqual(yield* reasonOf(fetcher, `${server.origin}/4`), "too many redirects")
    })
  )

  it.effect.each([
    "http://169.254.169.254/latest/meta-data/",
    "//127.0.0.2/",
    "http://[::1]/",
    "ftp://example.com/"
  ])("is not followed to %s", (location) =>
    Effect.gen(function* () {
      const server = yield* startServer((_request, response) => response.writeHead(302, { location }).end())
      const fetcher = yield* makeFetcher(local)
      assert.include(
        ["its address is not public", "it is not an http URL"],
        yield* reasonOf(fetcher, server.origin)
      )
    })
  )
})

describe("a document by URL", () => {
  const serve = (bytes: string) =>
    Effect.gen(function* () {
      const server = yield* startServer((request, response) => {
        response.end(request.headers.accept === "application/pdf" ? bytes : "unasked")
      })
      const fetcher = yield* makeFetcher(local)
      const address = { kind: "document" as const, url: server.origin }
      return yield* Effect.result(fetcher.fetch(address, anyRoom))
    })

  it.effect.each(["%PDF-1.7\n1", "\n\n%PDF-1.4"])("is fetched, and known by its bytes: %j", (bytes) =>
    Effect.gen(function* () {
      const document = yield* Effect.fromResult(yield* serve(bytes))
      assert.deepStrictEqual(document, { bytes: Buffer.from(bytes), mediaType: "application/pdf" })
    })
  )

  it.effect.each(["<html>secret</html>", png.toString("latin1")])(
    "is refused when it is no PDF: %j",
    (bytes) =>
      Effect.gen(function* () {
        const refusal = yield* Effect.flip(Effect.fromResult(yield* serve(bytes)))
        assert.strictEqual(refusal.message, "document URL refused: it is not a PDF")
      })
  )
})

describe("a name in an image URL", () => {
  it.effect("is refused when it leads to a private address, also after a redirect", () =>
    Effect.gen(function* () {
      const server = yield* startServer((_request, response) =>
        response.writeHead(302, { location: `http://inside.example:${server.port}/` }).end()
      )
      const fetcher = yield* makeFetcher({
        allowPrivateForTests: ["127.0.0.1"],
        resolve: (hostname, done) =>
          done(null, [{ address: hostname === "inside.example" ? "127.0.0.2" : "127.0.0.1", family: 4 }])
      })
      for (const host of ["inside.example", "outside.example"]) {
        yield* settled(Effect.flip(fetcher.fetch(imageAt(`http://${host}:${server.port}/`), anyRoom)))
      }
      assert.deepStrictEqual(server.seen, [`outside.example:${server.port} /`])
    })
  )

  it.effect("is resolved once a hop, and connected to the address that was checked", () =>
    Effect.gen(function* () {
      const server = yield* startServer(servePng)
      // A rebinding name: public at the first look, inside at the second. 127.0.0.1 stands for the public one.
      const answers = ["127.0.0.1", "127.0.0.2"]
      let asked = 0
      const fetcher = yield* makeFetcher({
        allowPrivateForTests: ["127.0.0.1"],
        resolve: (_hostname, done) => done(null, [{ address: answers[asked++]!, family: 4 }])
      })
      const url = `http://rebind.example:${server.port}/`
      yield* fetcher.fetch(imageAt(url), anyRoom)
      assert.strictEqual(asked, 1)
      yield* settled(Effect.flip(fetcher.fetch(imageAt(url), anyRoom)))
      assert.deepStrictEqual(server.seen, [`rebind.example:${server.port} /`])
    })
  )

  it.effect("that is known inside alone is refused like one that nobody knows, in words and in time", () =>
    Effect.gen(function* () {
      let asked = 0
      const fetcher = yield* makeFetcher({
        resolve: (hostname, done) => {
          asked++
          if (hostname === "db.inside.example") done(null, [{ address: "10.0.0.1", family: 4 }])
          // As slow as it gets, where the first one is quick.
          else setTimeout(() => done(new Error("ENOTFOUND"), []), 50)
        }
      })
      const ends: Array<readonly [reason: string, ms: number]> = []
      for (const name of ["db.inside.example", "nobody.example", "db", "db.", "localhost"]) {
        const startedMs = yield* Clock.currentTimeMillis
        const ended = Effect.all([reasonOf(fetcher, `http://${name}/a.png`), Clock.currentTimeMillis])
        const [reason, endedMs] = yield* settled(ended)
        ends.push([reason, endedMs - startedMs])
      }
      assert.strictEqual(asked, 2)
      for (const [reason, ms] of ends) {
        assert.strictEqual(reason, "it could not be fetched")
        assert.strictEqual(ms % 1_000, 0)
      }
    })
  )

  it.effect("uses only the public ones of several addresses", () =>
    Effect.gen(function* () {
      const server = yield* startServer(servePng)
      const fetcher = yield* makeFetcher({
        allowPrivateForTests: ["127.0.0.1"],
        resolve: (_hostname, done) =>
          done(
            null,
            ["10.0.0.1", "::1", "127.0.0.1"].map((address) => ({
              address,
              family: address === "::1" ? 6 : 4
            }))
          )
      })
      assert.strictEqual(
        (yield* fetcher.fetch(imageAt(`http://two.example:${server.port}/`), anyRoom)).mediaType,
        "image/png"
      )
    })
  )
})

describe("several images", () => {
  it.effect("are fetched once each", () =>
    Effect.gen(function* () {
      const server = yield* startServer(servePng)
      const fetcher = yield* makeFetcher(local)
      const urls = [`${server.origin}/a`, `${server.origin}/b`]
      const images = yield* fetcher.fetchAll(urls.map(imageAt), anyRoom)
      assert.deepStrictEqual([...images.keys()], urls)
      assert.lengthOf(server.seen, 2)
    })
  )

  it.effect("are refused over 20 MiB together, and when they are too many", () =>
    Effect.gen(function* () {
      const large = Buffer.concat([png, Buffer.alloc(7 * 1024 * 1024)])
      const server = yield* startServer((_request, response) => response.end(large))
      const fetcher = yield* makeFetcher(local)
      const urls = (count: number) =>
        Array.from({ length: count }, (_, index) => imageAt(`${server.origin}/${index}`))
      assert.strictEqual((yield* fetcher.fetchAll(urls(2), anyRoom)).size, 2)
      const tooLarge = yield* Effect.flip(fetcher.fetchAll(urls(3), anyRoom))
      assert.strictEqual(tooLarge.message, "image URL refused: the files are too large together")
      const often = { ...imageAt(server.origin), times: 3 }
      assert.deepStrictEqual(yield* Effect.flip(fetcher.fetchAll([often], anyRoom)), tooLarge)
      assert.strictEqual((yield* fetcher.fetchAll([{ ...often, times: 2 }], anyRoom)).size, 1)
      const seen = server.seen.length
      const tooMany = yield* Effect.flip(fetcher.fetchAll(urls(101), anyRoom))
      assert.strictEqual(tooMany.message, "image URL refused: too many files")
      assert.strictEqual(server.seen.length, seen)
    })
  )

  it.effect("are fetched as long as there is room for what comes, and no further", () =>
    Effect.gen(function* () {
      const server = yield* startServer(servePng)
      const fetcher = yield* makeFetcher(local)
      const urls = ["/a", "/b", "/c"].map((path) => imageAt(server.origin + path))
      let left = 2 * png.length
      const takeRoom = (bytes: number) => (left -= bytes) >= 0
      const error = yield* Effect.flip(fetcher.fetchAll(urls, takeRoom))
      assert.strictEqual(error._tag, "NoRoomForFile")
    })
  )

  it.effect("are refused when one of them is, which is told by its place among its kind", () =>
    Effect.gen(function* () {
      const server = yield* startServer(servePng)
      const fetcher = yield* makeFetcher(local)
      const [ours, inside] = [imageAt(server.origin), imageAt("http://10.0.0.1/")]
      const image = yield* Effect.flip(fetcher.fetchAll([ours, inside], anyRoom))
      assert.strictEqual(image.message, "image URL 2 of 2 refused: its address is not public")
      const document = { ...inside, kind: "document" } as const
      const only = yield* Effect.flip(fetcher.fetchAll([ours, document], anyRoom))
      assert.strictEqual(only.message, "document URL refused: its address is not public")
    })
  )
})
