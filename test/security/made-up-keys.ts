/** Strangers who make keys up: each has the form and the checksum of a real one. */
import { once } from "node:events"
import { generateKeySecret } from "../../src/domain/api-key.ts"
import { openSocket } from "./raw-socket.ts"

/** So many on each of so many connections, one after another as fast as they are answered; answers how often which status came. */
export const floodWithMadeUpKeys = async (
  url: string,
  { connections, each }: { readonly connections: number; readonly each: number }
): Promise<Readonly<Record<string, number>>> => {
  const statuses: Record<string, number> = {}
  const stranger = async () => {
    const socket = await openSocket(url)
    for (let sent = 0; sent < each; sent++) {
      socket.write(
        `POST /v1/messages HTTP/1.1\r\nhost: h\r\nx-api-key: ${generateKeySecret()}\r\ncontent-length: 2\r\n\r\n{}`
      )
      const [bytes] = (await once(socket, "data")) as [Buffer]
      const status = bytes.toString("latin1", 9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, stranger))
  return statuses
}
