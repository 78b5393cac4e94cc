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
  /** How often its clock was set back while it was at rest. */
  kept = 0

  constructor(connections: Connections, address: number) {
    this.#connections = connections
    this.#address = address
    connections.opened(this.#handle())
  }

  /** `late`: in chunks, of which none has come. */
  request(late: boolean): void {
    if (!this.alive || this.isBusy) return
    this.isBusy = true
    const res = this.#handle()
    const occupant: Occupant = {
      begin: (connection) => (this.occupied = connection),
      receive: () => {}
    }
    res.onAborted(() => this.occupied!.vacate(true))
    if (late) return this.#connections.arriveInChunks(occupant, res, this.#handle())
    this.#connections.arrive(occupant)
    this.#onData!(new ArrayBuffer(0), false)
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
