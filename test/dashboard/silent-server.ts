/** A server that takes connections and says nothing. */
import { type AddressInfo, createServer, type Socket } from "node:net"
import { until } from "../until.ts"

export const startSilentServer = async () => {
  const sockets: Array<Socket> = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on("error", () => {})
    socket.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Waits for somebody to come; how many have gone again. */
    ended: async () => {
      await until(() => sockets.length > 0)
      return sockets.filter(({ readableEnded }) => readableEnded).length
    },
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
}
