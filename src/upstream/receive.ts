/** How bytes come in from providers. */
import type { OnReadOpts, Socket } from "node:net"

/**
 * All connections of a thread are read into one buffer and each piece is copied out of it at once. Node would take 64 KB for
 * each piece and give most of it back: that costs a call 2 to 4 % of its CPU, and as many calls a second.
 */
export const receive: OnReadOpts = {
  buffer: Buffer.allocUnsafeSlow(64 * 1024),
  /** Node calls it on the socket; `false` makes it read no more until somebody does. */
  callback(this: Socket, length: number, bytes: Uint8Array): boolean {
    return this.push(Buffer.from(bytes.subarray(0, length)))
  }
}
