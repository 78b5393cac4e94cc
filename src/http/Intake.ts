/** Whether a client's connection is read. What it sends meanwhile waits on its side. */
import type { HttpResponse } from "uWebSockets.js"

export class Intake {
  readonly #res: HttpResponse
  #paused = false

  constructor(res: HttpResponse) {
    this.#res = res
  }

  get paused(): boolean {
    return this.#paused
  }

  pause(): void {
    if (this.#paused) return
    this.#paused = true
    this.#res.pause()
  }

  /** The clock of uWebSockets.js begins anew. */
  giveTime(): void {
    if (this.#paused) return
    this.#res.pause()
    this.#res.resume()
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#res.resume()
  }
}
