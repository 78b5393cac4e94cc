import type { Dispatcher, Pool } from "undici"
import type { DashboardTarget } from "../../src/http/DashboardProxy.ts"

/** What undici makes of one request, and forbids. */
export class Passed implements Dispatcher.DispatchController {
  readonly pool: Pool
  readonly target: DashboardTarget
  readonly #handler: Dispatcher.DispatchHandler
  state: "waits" | "asked" | "answers" | "ended" | "failed" = "waits"
  isStream = false
  paused = false
  said = ""
  aborted = false
  reason = null
  rawHeaders = null
  rawTrailers = null

  constructor(pool: Pool, target: DashboardTarget, handler: Dispatcher.DispatchHandler) {
    this.pool = pool
    this.target = target
    this.#handler = handler
  }

  get isOver(): boolean {
    return this.state === "ended" || this.state === "failed"
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    this.paused = false
  }

  abort(): void {
    this.aborted = true
    this.fail()
  }

  /** It has a connection. */
  begin(): void {
    this.state = "asked"
    this.#handler.onRequestStart!(this, {})
  }

  inform(): void {
    this.#handler.onResponseStart!(this, 103, {})
  }

  answer(status: number, type: string): void {
    this.state = "answers"
    this.isStream = type === "text/event-stream"
    this.#handler.onResponseStart!(this, status, { "content-type": type, connection: "keep-alive" })
  }

  say(text: string): void {
    this.said += text
    this.#handler.onResponseData!(this, Buffer.from(text))
  }

  end(): void {
    this.state = "ended"
    this.#handler.onResponseEnd!(this, {})
  }

  fail(): void {
    if (this.isOver) return
    const had = this.state === "waits" ? null : this
    this.state = "failed"
    this.#handler.onResponseError!(had as never, new Error("broken off"))
  }
}
