/** What the exchanges of a gateway thread share. */
import type { Settings } from "../config/settings.ts"
import { Line } from "../collections/Line.ts"
import { BodyMemory } from "./BodyMemory.ts"
import { type Capacity, capacityOf, type Machine } from "./capacity.ts"
import { type ClosedFor, Connections } from "./Connections.ts"
import { DashboardPlaces } from "./DashboardPlaces.ts"
import { EndOfTurn } from "./EndOfTurn.ts"
import type { Intake } from "./Intake.ts"
import { Lingering } from "./Lingering.ts"
import { type Pace, ReadPace } from "./ReadPace.ts"
import { Underway } from "./Underway.ts"

/** In MiB a second. */
const paceOf = (perSecond: number, burst: number): Pace => ({
  bytesPerSecond: perSecond * mebibyte,
  burstBytes: burst * mebibyte
})
const mebibyte = 1024 * 1024

export interface EdgeOptions {
  /** In force now. */
  readonly settings: () => Pick<Settings, "gatewayThreads" | "limits" | "trustProxy">
  readonly machine: Machine
  readonly openCalls: () => number
  readonly onClosed: (reason: ClosedFor) => void
}

export class Edge {
  readonly memory: BodyMemory
  readonly connections: Connections
  readonly dashboardPlaces: DashboardPlaces
  /** For bodies that are wanted. */
  readonly bodies = new ReadPace({ all: paceOf(256, 16), ofEach: paceOf(64, 8) })
  /** For what is thrown away: reading it does nothing but that a client gets to its answer. */
  readonly #discards = new ReadPace({ all: paceOf(64, 8), ofEach: paceOf(64, 8) })
  readonly #lingering = new Line<Lingering>()
  readonly #lingeringMax: () => number
  readonly endOfTurn = new EndOfTurn()
  /** Answers that are complete here and not yet taken by their clients. */
  readonly unread = new Underway()
  /** Exchanges that still cost something, such as refused ones whose body is on its way. */
  openExchanges = 0

  /** Whether the proxy in front of us says who calls. */
  readonly trustsProxy: () => boolean

  constructor({ machine, onClosed, openCalls, settings }: EdgeOptions) {
    this.trustsProxy = () => settings().trustProxy
    const capacity = remembered(settings, (now) => capacityOf(now, machine))
    const bounds = () => capacity().connections
    const isProxy = (address: string) => bounds().perAddress(address) === Infinity
    this.memory = new BodyMemory(() => capacity().bodies, isProxy)
    this.dashboardPlaces = new DashboardPlaces(bounds)
    this.connections = new Connections(bounds, () => openCalls() + this.dashboardPlaces.descriptors, onClosed)
    this.#lingeringMax = () => Math.min(settings().limits.maxOpenCalls, bounds().descriptors) * lingeringShare
  }

  /** Where too many linger, which anybody can do, the one that has longest makes room. */
  linger(intake: Intake, close: () => void): Lingering {
    const lingering = new Lingering(intake, this.#discards, this.#lingering, close)
    if (this.#lingering.size > this.#lingeringMax()) this.#lingering.first!.value.finish()
    return lingering
  }
}

/** Of what exchanges and descriptors there are. */
const lingeringShare = 1 / 8

/** Settings are replaced as a whole. */
const remembered = <S>(settings: () => S, make: (settings: S) => Capacity): (() => Capacity) => {
  let of = settings()
  let made = make(of)
  return () => {
    const now = settings()
    if (now !== of) made = make((of = now))
    return made
  }
}
