/** A connection that is there before anything is asked on it, and on which a request need not come whole. */
import { connect, type Socket } from "node:net"
import type { TestGateway } from "../gateway/start-gateway.ts"

export class RawClient {
  /** What has come, heads and chunks as they are. */
  text = ""
  /** All of it, once the connection has ended. */
  readonly ended: Promise<string>
  readonly #socket: Socket

  constructor({ url }: TestGateway) {
    const { hostname, port } = new URL(url)
    this.#socket = connect(Number(port), hostname)
    this.#socket.on("data", (chunk: Buffer) => (this.text += chunk.toString()))
    this.#socket.on("error", () => {})
    this.ended = new Promise((resolve) => this.#socket.on("close", () => resolve(this.text)))
  }

  /** A call of Messages, or of its body only so many bytes. */
  send(key: string, body: string, bytes = Buffer.byteLength(body)): void {
    const head = ["POST /v1/messages HTTP/1.1", "host: localhost", `x-api-key: ${key}`]
    this.#socket.write(`${head.join("\r\n")}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`)
    this.#socket.write(Buffer.from(body).subarray(0, bytes))
  }
}
