/**
 * A client's connection, between its requests as well. uWebSockets.js tells of requests, each with a handle of its own
 * that ends with the answer, and of connections as they open, by another. What is set on either is set on the
 * connection: so a connection at rest is watched by its own handle, and the first thing that is told of a body (which
 * may be that there is none) tells which connection a request came on.
 */
import type { HttpResponse } from "uWebSockets.js"
import { placeFor } from "../collections/Line.ts"
import type { Address } from "./Addresses.ts"

/** Answers without a body in a row: of those nothing tells whether they are read, and unread ones are kept below. */
const bodilessMax = 32

/** A request and its answer, while the connection is theirs. */
export interface Occupant {
  /** It has ended: with its connection, if it had not begun. */
  readonly isOver: boolean
  begin(connection: Connection): void
  receive(chunk: ArrayBuffer, isLast: boolean): void
}

/** What still comes of a request that is over, on a connection that ends, is no other's. */
const nobody: Occupant = { isOver: true, begin: () => {}, receive: () => {} }

/** Who keeps the connections of a thread. */
export interface Keeper {
  /** A request has come on the connection: the one that has just been told of. */
  occupied(connection: Connection): Occupant | undefined
  rests(connection: Connection): void
  gone(connection: Connection): void
}

export class Connection {
  readonly address: Address
  /** Among those at rest. */
  readonly place = placeFor<Connection>(this)
  /** It has carried a call whose key is known. */
  isKnown = false
  restsSinceMs = 0
  /** When its rest began, or the clock that ends it was last set back. */
  keptAtMs = 0
  #bodiless = 0
  /** The doubts about its address when it was last certain that it is there. */
  #doubts = 0
  /** Must not be touched once the connection is gone. */
  readonly #handle: HttpResponse
  readonly #keeper: Keeper
  #occupant: Occupant | undefined
  readonly #onGone = () => this.#keeper.gone(this)
  readonly #onData = (chunk: ArrayBuffer, isLast: boolean) => {
    if (this.#occupant === undefined) {
      this.#occupant = this.#keeper.occupied(this)
      this.#occupant?.begin(this)
    }
    this.#occupant?.receive(chunk, isLast)
  }

  constructor(handle: HttpResponse, address: Address, keeper: Keeper) {
    this.#handle = handle
    this.address = address
    this.#keeper = keeper
  }

  /** Waits for its next request. */
  rest(): void {
    this.#doubts = this.address.doubts
    this.#handle.onAborted(this.#onGone)
    this.#handle.onData(this.#onData)
    this.#keeper.rests(this)
  }

  /** By a request whose own handle is `res`, and of whose connection nothing else is known. */
  occupy(occupant: Occupant, res: HttpResponse): void {
    this.#occupant = occupant
    res.onData(this.#onData)
    occupant.begin(this)
  }

  /** False where it has to end with this answer; `hasBody`: what former ones left unread holds it up. */
  mayGoOnAfter(hasBody: boolean): boolean {
    this.#bodiless = hasBody ? 0 : this.#bodiless + 1
    return this.#bodiless < bodilessMax
  }

  /** Its occupant is through; `isClosed` where the connection ended with it, `isWhole` where its request had come. */
  vacate(isClosed: boolean, isWhole = true): void {
    this.#occupant = isWhole ? undefined : nobody
    if (isClosed) this.#keeper.gone(this)
    else this.rest()
  }

  /** Only at rest. False where it is not certain that it is still there: then nothing may be done. */
  close(): boolean {
    if (this.#isInDoubt) return false
    this.#handle.close()
    return true
  }

  /** Sets the clock back by which uWebSockets.js closes what rests. Like `close` else. */
  keepOpen(): boolean {
    if (this.#isInDoubt) return false
    this.#handle.pause()
    this.#handle.resume()
    return true
  }

  get #isInDoubt(): boolean {
    return this.#doubts !== this.address.doubts
  }
}
