/**
 * Connections between calls. One carries its next call only once everything was read that has come: some providers close without
 * a word behind their answer, and a late byte would be taken for the next call's answer.
 */
import type { Connection } from "./Connection.ts"

export class IdleConnections {
  /** The one used last is used next, so that those which are too many grow old. */
  #ready: Array<Connection> = []
  /** A loop of events will have to pass. */
  #fresh: Array<Connection> = []

  get count(): number {
    return this.#ready.length + this.#fresh.length
  }

  /** `connection` has just carried a call. */
  add(connection: Connection): void {
    this.#fresh.push(connection)
  }

  /** `connection` has carried none yet. */
  addUnused(connection: Connection): void {
    this.#ready.push(connection)
  }

  /** One that can carry a call now. */
  take(): Connection | undefined {
    return this.#ready.pop()
  }

  /** A loop of events has passed; answers whether any can carry a call now. */
  settle(): boolean {
    for (const connection of this.#fresh) this.#ready.push(connection)
    this.#fresh = []
    return this.#ready.length > 0
  }

  remove(connection: Connection): void {
    removeFrom(this.#fresh, connection)
    removeFrom(this.#ready, connection)
  }

  hasYoung(nowMs: number): boolean {
    const isYoung = (connection: Connection) => !connection.isAged(nowMs)
    return this.#fresh.some(isYoung) || this.#ready.some(isYoung)
  }

  /** Takes out those that have been idle for long enough, and aged ones where a young one is there or `keepsAged` is not. */
  takeDue(nowMs: number, keepsAged: boolean): ReadonlyArray<Connection> {
    const makesRoom = !keepsAged || this.hasYoung(nowMs)
    const isDue = (connection: Connection) =>
      connection.idleUntilMs <= nowMs || connection.isOld(nowMs) || (makesRoom && connection.isAged(nowMs))
    const due = this.#ready.filter(isDue)
    if (due.length > 0) this.#ready = this.#ready.filter((connection) => !isDue(connection))
    return due
  }

  takeAll(): ReadonlyArray<Connection> {
    this.settle()
    const all = this.#ready
    this.#ready = []
    return all
  }
}

const removeFrom = (connections: Array<Connection>, connection: Connection): void => {
  const place = connections.indexOf(connection)
  if (place !== -1) connections.splice(place, 1)
}
