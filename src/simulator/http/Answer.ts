/** What goes back to a caller, before any fault is applied to it. */
import type { HeaderList } from "../../sockets/write-head.ts"

/** What goes into the body at once: of a stream an event, or the part of one. */
export type Frame = string | Uint8Array

export interface PlainAnswer {
  readonly kind: "plain"
  readonly status: number
  readonly headers: HeaderList
  readonly body: Frame
}

/** How a stream's wire says what is not content. */
export interface StreamWire {
  /** Lines of text, so that comments and line ends can be played with. */
  readonly textual: boolean
  /** The frames of an error under way, after which the stream ends. */
  readonly failure: () => ReadonlyArray<Frame>
  /** A frame no client can parse. */
  readonly rubbish: Frame
  /** What keeps a connection alive that has nothing to say. */
  readonly ping: Frame | undefined
}

export interface StreamAnswer {
  readonly kind: "stream"
  readonly status: number
  readonly headers: HeaderList
  readonly frames: Iterator<Frame>
  readonly wire: StreamWire
}

export type Answer = PlainAnswer | StreamAnswer

export const plainJson = (status: number, headers: HeaderList, body: unknown): PlainAnswer => ({
  kind: "plain",
  status,
  headers: [["content-type", "application/json"], ...headers],
  body: typeof body === "string" ? body : JSON.stringify(body)
})

/** Of server-sent events. */
export const eventStream: readonly [string, string] = ["content-type", "text/event-stream; charset=utf-8"]

/** A comment, which clients of such events pass over. */
export const keepAlive = ": keep-alive\n\n"

export const toBuffer = (frame: Frame): Buffer =>
  typeof frame === "string"
    ? Buffer.from(frame)
    : Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)

export const byteLength = (frame: Frame): number =>
  typeof frame === "string" ? Buffer.byteLength(frame) : frame.byteLength
