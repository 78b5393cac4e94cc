/** By a socket in a folder, processes that share it find out whether each other lives, also from one container to another. */
import { Effect } from "effect"
import { connect, createServer } from "node:net"
import { basename, join } from "node:path"

/** The socket's name, until the scope closes; none on a file system that has no sockets, or with a path too long for one. */
export const listenForOthers = Effect.fnUntraced(function* (folder: string) {
  const name = `tollgate.${crypto.randomUUID().slice(0, 8)}.sock`
  const server = createServer((other) => other.destroy()).unref()
  const listening = new Promise<string | undefined>((resolve) => {
    server.on("error", () => resolve(undefined))
    server.listen(join(folder, name), () => resolve(name))
  })
  // Closing removes the file, too.
  return yield* Effect.acquireRelease(
    Effect.promise(() => listening),
    () => Effect.sync(() => server.close())
  )
})

/** The system itself answers for a process that listens, also while that is busy or stopped. */
export const answersAt = (folder: string, name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(join(folder, basename(name)))
    socket.on("error", () => resolve(false))
    socket.on("connect", () => {
      socket.destroy()
      resolve(true)
    })
  })
