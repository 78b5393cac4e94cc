/** What a thread asks the ledger, on its way: everything of one turn of the event loop shares a frame. */
import type { MessagePort } from "node:worker_threads"
import { packQuestions } from "./frames.ts"
import type { Asked } from "./protocol.ts"

export class AskFrames {
  readonly #port: MessagePort
  #frame: Array<Asked> = []

  constructor(port: MessagePort) {
    this.#port = port
  }

  push(asked: Asked): void {
    this.#frame.push(asked)
    if (this.#frame.length === 1) setImmediate(() => this.#send())
  }

  /** What has not gone yet goes first: rows of calls are among it. */
  close(): void {
    this.#send()
    this.#port.close()
  }

  #send(): void {
    if (this.#frame.length === 0) return
    const frame = packQuestions(this.#frame)
    this.#frame = []
    this.#port.postMessage(frame, [frame.buffer])
  }
}
