/** A free port by its number, for PostgreSQL, which can not listen on port 0. */
import { Effect } from "effect"
import { createServer } from "node:net"

/** 0 where none can be had: whoever listens then tells why. */
export const findFreePort: Effect.Effect<number> = Effect.callback((resume) => {
  const server = createServer()
  server.once("error", () => resume(Effect.succeed(0)))
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})
