/**
 * How many requests for the dashboard are passed on at once. Each takes two descriptors beside its client's, and a
 * share of one thread: whoever asks on thousands of connections leaves both to others.
 */
import { addressBlock } from "../domain/address-block.ts"
import type { ConnectionBounds } from "./Connections.ts"

const placesMax = 256
/** Of the descriptors, this part may be taken so; some places there are in any case. */
const descriptorsShare = 1 / 16
const placesMin = 16
/** One address, or of IPv6 one network, may have this part of the places: more than a browser asks for at once. */
const addressShare = 1 / 2

/** Of one request that is passed on. */
export interface Place {
  /** The answer goes on for long, as a stream of events does, of which a person may have only so many. */
  readonly letGo: () => void
  /** It is over. */
  readonly leave: () => void
}

export class DashboardPlaces {
  readonly #bounds: () => ConnectionBounds
  readonly #byAddress = new Map<string, number>()
  #taken = 0
  #underway = 0

  /** The bounds are asked for each time: they change while the program runs. */
  constructor(bounds: () => ConnectionBounds) {
    this.#bounds = bounds
  }

  /** Taken beside those of the clients. */
  get descriptors(): number {
    return 2 * this.#underway
  }

  /**
   * For a caller at the address that a proxy has told, or from which the connection comes. `undefined` where all are
   * taken, by all or, unless that is a proxy's, by this address.
   */
  take(told: string | undefined, remote: string): Place | undefined {
    const { descriptors, perAddress } = this.#bounds()
    const places = Math.max(placesMin, Math.min(placesMax, Math.floor(descriptors * descriptorsShare)))
    const caller = told ?? (perAddress(remote) === Infinity ? undefined : remote)
    const address = caller && addressBlock(caller)
    if (this.#taken >= places || this.#of(address) >= places * addressShare) return undefined
    this.#underway++
    this.#add(address, 1)
    let isTaken = true
    let isUnderway = true
    const letGo = () => {
      if (isTaken) this.#add(address, -1)
      isTaken = false
    }
    const leave = () => {
      letGo()
      if (isUnderway) this.#underway--
      isUnderway = false
    }
    return { letGo, leave }
  }

  #of(address: string | undefined): number {
    return address === undefined ? 0 : (this.#byAddress.get(address) ?? 0)
  }

  #add(address: string | undefined, count: number): void {
    this.#taken += count
    if (address === undefined) return
    const own = this.#of(address) + count
    if (own === 0) this.#byAddress.delete(address)
    else this.#byAddress.set(address, own)
  }
}
