/** The way between a process and its database: packets in their order, late, lost, or held back until the way is whole. */
import type { WatchedConnection } from "../../src/ledger/session.ts"
import type { Machine } from "./Machine.ts"
import type { World } from "./World.ts"

const lossOf = (message: string) => Object.assign(new Error(message), { code: "CONNECTION_CLOSED" })

/** The server that all connections lead to. */
export class Server {
  readonly world: World
  readonly connections = new Set<Connection>()
  isUp = true
  /** It was away, and serves. */
  onStart: () => void = () => {}

  constructor(world: World) {
    this.world = world
  }

  /** All connections end; what was under way is done or not. */
  stop(): void {
    this.isUp = false
    for (const connection of this.connections) connection.endByServer()
  }

  start(): void {
    if (this.isUp) return
    this.isUp = true
    this.onStart()
  }
}

export class Link {
  readonly world: World
  readonly machine: Machine
  readonly server: Server
  /** New connections are refused. */
  isCut = false
  /** Nothing that is sent arrives. */
  holdsUp = false
  /** No answer arrives. */
  holdsDown = false
  slowMs = 0
  #held: Array<{ readonly connection: Connection; readonly deliver: () => void }> = []

  constructor(world: World, machine: Machine, server: Server) {
    this.world = world
    this.machine = machine
    this.server = server
  }

  /** All connections are reset. */
  cut(): void {
    this.isCut = true
    for (const connection of this.server.connections) {
      if (connection.link !== this) continue
      connection.endByServer()
    }
  }

  /** The present connections carry nothing for a while; new ones do. */
  stick(isNoticed: boolean): void {
    for (const connection of this.server.connections)
      if (connection.link === this) connection.stick(isNoticed)
  }

  /** What was held back arrives now, or never. */
  heal(isDelivered: boolean): void {
    this.isCut = this.holdsUp = this.holdsDown = false
    this.slowMs = 0
    for (const connection of this.server.connections) if (connection.link === this) connection.isStuck = false
    const held = this.#held
    this.#held = []
    for (const { connection, deliver } of held) {
      if (isDelivered) this.world.after(0, deliver)
      else connection.endByServer()
    }
  }

  hold(connection: Connection, deliver: () => void): void {
    this.#held.push({ connection, deliver })
  }

  delayMs(): number {
    const { random } = this.world
    const slow = this.slowMs > 0 ? random.next() * this.slowMs : 0
    // Now and then a packet is sent again.
    return 0.1 + random.next() * (random.chance(0.02) ? 40 : 1.5) + slow
  }
}

export class Connection implements WatchedConnection {
  readonly link: Link
  /** What was sent over it arrives late, behind what others carry. */
  isStuck = false
  readonly #onLost: () => void
  readonly #onNotice: () => void
  readonly #listeners = new Set<(cause: Error) => void>()
  /** Of the client's end. */
  #ended = false
  #closing = false
  /** Of the server's end. */
  #isServed: boolean
  /** Requests that wait for the server's greeting. */
  #opening: Array<() => void> | undefined = []
  #upAtMs = 0
  #downAtMs = 0

  constructor(link: Link, onLost: () => void, onNotice: () => void = () => {}) {
    this.link = link
    this.#onLost = onLost
    this.#onNotice = onNotice
    this.#isServed = !link.isCut && link.server.isUp
    link.server.connections.add(this)
    if (this.#isServed) this.#send("up", () => this.#send("down", () => this.#open()))
  }

  #open(): void {
    const waiting = this.#opening ?? []
    this.#opening = undefined
    for (const send of waiting) send()
  }

  readonly hasEnded = (): boolean => this.#ended

  readonly onEnd = (listener: (cause: Error) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Runs a statement at the server; its answer may never come, though it was done. */
  request<A>(run: () => A): Promise<A> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(lossOf("connection lost"))
      if (!this.#isServed) {
        this.link.machine.after(1, () => {
          reject(lossOf("connection refused"))
          this.#end()
        })
        return
      }
      this.#onceOpen(() =>
        this.#send("up", () => {
          if (!this.#isServed || !this.link.server.isUp) return this.endByServer()
          let answer: A
          try {
            answer = run()
          } catch (error) {
            return this.#send("down", () => reject(error))
          }
          this.#send("down", () => resolve(answer))
        })
      )
    })
  }

  #onceOpen(send: () => void): void {
    if (this.#opening === undefined) send()
    else this.#opening.push(send)
  }

  /** Something to hear. */
  notify(): void {
    if (this.#isServed) this.#send("down", () => this.#onNotice())
  }

  /** `isNoticed`: the client knows, and makes another. */
  stick(isNoticed: boolean): void {
    this.isStuck = true
    if (isNoticed) this.link.machine.receive(() => this.#end())
  }

  close(): void {
    this.#closing = true
    this.#ended = true
    // The server hears of it after all that was sent before.
    this.#send("up", () => this.#forget())
  }

  endByServer(): void {
    if (!this.#isServed) return
    this.#forget()
    this.#send("down", () => this.#end())
  }

  #forget(): void {
    this.#isServed = false
    this.link.server.connections.delete(this)
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    for (const listener of this.#listeners) listener(lossOf("connection lost"))
    if (!this.#closing) this.#onLost()
  }

  #send(way: "up" | "down", arrive: () => void): void {
    const { link } = this
    const { machine, world } = link
    const deliver = () => (way === "up" ? arrive() : machine.receive(arrive))
    const arrivesMs = world.nowMs + link.delayMs()
    const atMs =
      way === "up"
        ? (this.#upAtMs = Math.max(this.#upAtMs, arrivesMs))
        : (this.#downAtMs = Math.max(this.#downAtMs, arrivesMs))
    world.at(atMs, () => {
      if (this.isStuck || (way === "up" ? link.holdsUp : link.holdsDown)) link.hold(this, deliver)
      else deliver()
    })
  }
}
