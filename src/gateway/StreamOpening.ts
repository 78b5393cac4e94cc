/**
 * Keeps the client of a stream alive while its provider has not even begun to answer: the status line waits for content,
 * but no longer than until the first keep-alive is due. Where none may be sent, nothing goes out: uWebSockets.js sends
 * headers with the first bytes after them only, and an error can still be a real one.
 */
import type { Watched } from "../upstream/Sweeper.ts"
import type { Client, ResponseHeaders } from "./Client.ts"

export interface OpeningOptions {
  readonly client: Client
  readonly headers: () => ResponseHeaders
  /** Gives `undefined` where nothing may be sent before the provider's first event. */
  readonly keepAlive: () => string | undefined
  readonly keepAliveMs: number
  /** Since when the client has had nothing, by the steady clock. */
  readonly lastWriteMs: number
  readonly onFirstByte: (nowMs: number) => void
  readonly watch: (watched: Watched) => () => void
}

export class StreamOpening implements Watched {
  /** The status line has gone out: an error can only be an event now. */
  started = false
  readonly #options: OpeningOptions
  readonly #unwatch: () => void
  /** Since when the client has had nothing. */
  lastWriteMs: number

  constructor(options: OpeningOptions) {
    this.#options = options
    this.lastWriteMs = options.lastWriteMs
    this.#unwatch = options.watch(this)
  }

  tick(nowMs: number): void {
    const { client, headers, keepAliveMs, onFirstByte } = this.#options
    if (nowMs - this.lastWriteMs < keepAliveMs || !client.isOpen) return
    const keepAlive = this.#options.keepAlive()
    if (keepAlive === undefined) return
    this.lastWriteMs = nowMs
    if (!this.started) {
      this.started = true
      onFirstByte(nowMs)
      client.start(200, headers())
    }
    client.write(keepAlive)
  }

  /** The provider has answered, or will not: somebody else sees to the client from here on. */
  close(): void {
    this.#unwatch()
  }
}
