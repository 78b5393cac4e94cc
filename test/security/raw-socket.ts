/** Bytes to a server and back, exactly as written, for requests that no client would make. */
import { connect, type Socket } from "node:net"
import { once } from "node:events"

export interface RawAnswer {
  readonly text: string
  /** Whether the server ended the connection. */
  readonly closed: boolean
}

export const openSocket = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on("error", () => {})
  await once(socket, "connect")
  return socket
}

/** Sends and collects until the server closes, `enough` is true of what has come, or the time is over. */
export const sendRaw = async (
  url: string,
  bytes: string | Buffer,
  { enough = () => false, waitMs = 800 }: { enough?: (text: string) => boolean; waitMs?: number } = {}
): Promise<RawAnswer> => {
  const socket = await openSocket(url)
  let text = ""
  return new Promise((resolve) => {
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, closed })
    }
    const timer = setTimeout(() => finish(false), waitMs)
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
      if (enough(text)) finish(false)
    })
    socket.on("close", () => finish(true))
    socket.write(bytes)
  })
}

export const statusesIn = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
