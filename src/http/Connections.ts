/**
 * The clients' connections of a gateway thread. Descriptors are few, and whoever takes one need not even speak: when they
 * run short, connections without a call make room for others, those of strangers first.
 */
import type { HttpResponse } from "uWebSockets.js"
import { Line } from "../collections/Line.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import { type Address, Addresses } from "./Addresses.ts"
import { Connection, type Keeper, type Occupant } from "./Connection.ts"

export interface ConnectionBounds {
  /** Of clients' connections and of those that their requests take beside: one of a call to its provider. */
  readonly descriptors: number
  readonly perAddress: (address: string) => number
}

/** A request in chunks of which it is not known yet on which connection it came. */
interface Late {
  readonly occupant: Occupant
  readonly address: Address
  /** Its own handle. */
  readonly res: HttpResponse
  /** Another one for its connection. */
  readonly handle: HttpResponse
}

/** Why a connection was closed or not taken. */
export type ClosedFor = "descriptors" | "address"

/** The part of the descriptors that is kept for those who come while all others are taken. */
const reserve = 1 / 8

/** Who has just come has not had the time to ask for anything. */
const patienceMs = 1_000

/** uWebSockets.js lets no connection rest for so long by itself: one that seems to has gone. */
const restMsMax = 30_000

/** Longer than those before us, so that they end it and never find it ended: Google's balancers 600 s, AWS' and nginx 60 s, Go 90 s. */
const knownRestMsMax = 620_000

/** Well before the ten seconds after which uWebSockets.js closes a connection on which nothing comes. */
const keepEveryMs = 4_000

/** At a time, so that calls do not wait for thousands. */
const keptMax = 500

export class Connections implements Keeper {
  /** Connections that have ended, ever. */
  closes = 0
  readonly #bounds: () => ConnectionBounds
  readonly #others: () => number
  readonly #onClosed: (reason: ClosedFor) => void
  readonly #addresses = new Addresses()
  readonly #strangers = new Line<Connection>()
  readonly #known = new Line<Connection>()
  #open = 0
  #arrived: Occupant | undefined
  #late: Late | undefined

  /** `others`: descriptors that requests take beside their clients'. */
  constructor(bounds: () => ConnectionBounds, others: () => number, onClosed: (reason: ClosedFor) => void) {
    this.#bounds = bounds
    this.#others = others
    this.#onClosed = onClosed
  }

  get open(): number {
    return this.#open
  }

  opened(handle: HttpResponse): void {
    this.waitNoLonger()
    this.#open++
    const address = this.#addresses.of(handle)
    this.#addresses.opened(address)
    const connection = new Connection(handle, address, this)
    connection.rest()
    if (address.count > this.#bounds().perAddress(address.text)) return this.#close(connection, "address")
    this.#makeRoom(connection)
  }

  closed(): void {
    this.#open--
    this.closes++
  }

  /** A request has come; the next that is told of its body tells on which connection. */
  arrive(occupant: Occupant): void {
    this.waitNoLonger()
    this.#arrived = occupant
  }

  /**
   * A request in chunks has come, of which nothing more may be told for long: `res` is its own handle, `handle` another
   * one for its connection. A chunk that is told before anything else tells on which connection.
   */
  arriveInChunks(occupant: Occupant, res: HttpResponse, handle: HttpResponse): void {
    this.waitNoLonger()
    this.#arrived = undefined
    this.#late = { occupant, address: this.#addresses.of(res), res, handle }
  }

  /** For the first chunk of a late one. Which of those at rest it came on stays open; that one is not heard of again. */
  waitNoLonger(): void {
    if (this.#late === undefined) return
    const { address, handle, occupant, res } = this.#late
    this.#late = undefined
    address.doubts++
    if (occupant.isOver) return this.#addresses.closed(address)
    new Connection(handle, address, this).occupy(occupant, res)
    this.#makeRoom(undefined)
  }

  occupied(connection: Connection): Occupant | undefined {
    if (this.#late?.occupant.isOver === true) this.waitNoLonger()
    const occupant = this.#late?.occupant ?? this.#arrived
    this.#late = this.#arrived = undefined
    connection.place.line?.leave(connection.place)
    this.#makeRoom(connection)
    return occupant
  }

  rests(connection: Connection): void {
    const nowMs = steadyMs()
    connection.restsSinceMs = connection.keptAtMs = nowMs
    if (connection.isKnown) return this.#known.join(connection.place)
    this.#strangers.join(connection.place)
    const { first } = this.#strangers
    if (first !== undefined && nowMs - first.value.restsSinceMs > restMsMax) this.#strangers.leave(first)
  }

  /**
   * Lets those at rest that have carried a call stay open: clients that send their next one on a connection just as it
   * is closed lose it. To be called some times a second.
   */
  keepResting(): void {
    this.waitNoLonger()
    const nowMs = steadyMs()
    let left = keptMax
    let place = this.#known.first
    while (place !== undefined && left > 0) {
      const { next, value } = place
      const isDue = nowMs - value.keptAtMs >= keepEveryMs && nowMs - value.restsSinceMs <= knownRestMsMax
      if (isDue) {
        value.keptAtMs = nowMs
        left--
        // What is in doubt ends by itself.
        if (!value.keepOpen()) this.#known.leave(place)
      }
      place = next
    }
  }

  /** Unless it is in use again, or has gone. */
  closeResting(connection: Connection | undefined): void {
    const line = connection?.place.line
    if (connection === undefined || line === undefined) return
    line.leave(connection.place)
    connection.close()
  }

  gone(connection: Connection): void {
    connection.place.line?.leave(connection.place)
    this.#addresses.closed(connection.address)
  }

  /** Never at the cost of `newcomer`, as long as there is any other. */
  #makeRoom(newcomer: Connection | undefined): void {
    const { descriptors } = this.#bounds()
    const used = this.#open + this.#others()
    if (used <= descriptors * (1 - reserve)) return
    const isFull = used > descriptors
    const patientMs = isFull ? 0 : patienceMs
    // Two, so that there is room in the end, whoever comes meanwhile.
    for (let turn = 0; turn < 2; turn++) {
      if (this.#closeFirst(this.#strangers, newcomer, patientMs)) continue
      if (!isFull || this.#closeFirst(this.#known, newcomer, patientMs)) continue
      if (turn === 0 && newcomer?.place.line !== undefined) this.#close(newcomer, "descriptors")
      return
    }
  }

  #closeFirst(line: Line<Connection>, newcomer: Connection | undefined, patientMs: number): boolean {
    for (let place = line.first; place !== undefined; place = line.first) {
      const { value } = place
      if (value === newcomer || steadyMs() - value.restsSinceMs < patientMs) return false
      line.leave(place)
      // What is in doubt ends by itself.
      if (value.close()) {
        this.#onClosed("descriptors")
        return true
      }
    }
    return false
  }

  #close(connection: Connection, reason: ClosedFor): void {
    connection.place.line?.leave(connection.place)
    if (connection.close()) this.#onClosed(reason)
  }
}
