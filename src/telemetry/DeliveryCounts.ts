/** Attempts to deliver alerts since the start, as the dashboard's thread tells of them. */
import type { Sample } from "./prometheus-text.ts"

export class DeliveryCounts {
  readonly #counts = new Map<string, { readonly channel: string; readonly outcome: string; count: number }>()

  readonly count = (channel: string, outcome: string): void => {
    const key = `${channel} ${outcome}`
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { channel, outcome, count: 1 })
    else known.count += 1
  }

  samples(): ReadonlyArray<Sample> {
    return [...this.#counts.values()].map(({ channel, count, outcome }) => [{ channel, outcome }, count])
  }
}
