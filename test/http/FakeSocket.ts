/**
 * What uWebSockets.js makes of a socket, as far as connections go: any number of handles, one place for each callback,
 * whoever sets it, and no mercy for who touches a handle after its end.
 */
import type { HttpResponse } from "uWebSockets.js"
import type { Connection, Occupant } from "../../src/http/Connection.ts"
import type { Connections } from "../../src/http/Connections.ts"

export class FakeSocket {
  readonly #connections: Connections
  readonly #address: number
  #onAborted: (() => void) | undefined
  #onData: ((chunk: ArrayBuffer, isLast: boolean) => void) | undefined
  alive = true
  /** What its requests have been told to be on, while one is under way. */
  occupied: Connection | undefined
  isBusy = false
  /** Answered while its request came: it ends in a while. */
  #isEnding = false
  /** How often its clock was set back while it was at rest. */
  kept = 0

  constructor(connections: Connections, address: number) {
    this.#connections = connections
    this.#address = address
    connections.opened(this.#handle())
  }

  /** In chunks it is told of nothing before the first of them: that is `late` where it has not come with the headers. */
  request(kind: "whole" | "in chunks" | "late"): void {
    if (!this.alive || this.isBusy || this.#isEnding) return
    this.isBusy = true
    const res = this.#handle()
    const isOver = () => !this.alive
    const occupant: Occupant = {
      get isOver() {
        return isOver()
      },
      begin: (connection) => (this.occupied = connection),
      receive: () => {}
    }
    res.onAborted(() => this.occupied?.vacate(true))
    if (kind === "whole") this.#connections.arrive(occupant)
    else this.#connections.arriveInChunks(occupant, res, this.#handle())
    if (kind !== "late") this.#onData!(new ArrayBuffer(0), false)
  }

  answer(): void {
    if (!this.alive || !this.isBusy) return
    this.isBusy = false
    this.#onData!(new ArrayBuffer(0), true)
    this.#onAborted = this.#onData = undefined
    const connection = this.occupied!
    this.occupied = undefined
    connection.vacate(false)
  }

  answerEarly(): void {
    if (!this.alive || this.occupied === undefined) return
    this.#isEnding = true
    this.isBusy = false
    this.#onAborted = undefined
    const connection = this.occupied
    this.occupied = undefined
    connection.vacate(false, false)
  }

  /** More of a request's body has come. */
  more(): void {
    if (this.alive && (this.isBusy || this.#isEnding)) this.#onData!(new ArrayBuffer(1), false)
  }

  leave(): void {
    if (!this.alive) return
    this.alive = false
    this.#connections.closed()
    this.#onAborted?.()
  }

  #handle(): HttpResponse {
    const touch = () => {
      if (!this.alive) throw new Error("a handle was touched after its end")
    }
    return {
      onAborted: (listener: () => void) => {
        touch()
        this.#onAborted = listener
      },
      onData: (listener: (chunk: ArrayBuffer, isLast: boolean) => void) => {
        touch()
        this.#onData = listener
      },
      close: () => {
        touch()
        if (this.isBusy) throw new Error("a connection was closed under its request")
        this.leave()
      },
      pause: () => {
        touch()
        if (this.isBusy) throw new Error("a connection was stopped under its request")
      },
      resume: () => {
        touch()
        this.kept++
      },
      getRemoteAddress: () => {
        touch()
        return new Uint8Array([198, 51, 100, this.#address]).buffer
      }
    } as unknown as HttpResponse
  }
}
