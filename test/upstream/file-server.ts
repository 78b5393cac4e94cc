/** A web server with files, and a fetcher that may reach it although its address is not public. */
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import type { FileAddress } from "../../src/formats/images/file-sources.ts"
import { FileFetcher, type FileFetcherOptions } from "../../src/upstream/fetch-file.ts"
import { delay } from "../delay.ts"

export const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")

/** A web server on the loopback address, and the requests it has seen. */
export const startServer = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<{ origin: string; port: number; seen: Array<string>; close: () => void }>((resume) => {
      const seen: Array<string> = []
      const server = createServer((request, response) => {
        seen.push(`${request.headers.host} ${request.url}`)
        listener(request, response)
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ origin: `http://127.0.0.1:${port}`, port, seen, close }))
      })
    }),
    (server) => Effect.sync(server.close)
  )

export const makeFetcher = (options: FileFetcherOptions = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => new FileFetcher(options)),
    (fetcher) => Effect.promise(() => fetcher.close())
  )

export const local = { allowPrivateForTests: ["127.0.0.1"] }
export const servePng: RequestListener = (_request, response) => response.end(png)

export const anyRoom = () => true

export const imageAt = (url: string): FileAddress => ({ kind: "image", url })

/** With the test's clock running: what can not be reached answers after whole seconds. */
export const settled = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust("100 millis")
      yield* Effect.promise(() => delay(1))
    }
    return yield* Fiber.join(fiber)
  })

export const reasonOf = (fetcher: FileFetcher, url: string) =>
  Effect.map(Effect.flip(fetcher.fetch(imageAt(url), anyRoom)), (error) =>
    error._tag === "FileRefused" ? error.reason : error._tag
  )
