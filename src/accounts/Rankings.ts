/**
 * Which accounts come first by revenue or by margin takes all sums of a period to tell, and is soon asked again. Where that
 * takes long it is kept for a while; what is told of each account is of now.
 */
import type { RankedAccounts } from "../storage/calls/MarginStore.ts"

export interface Ranked extends RankedAccounts {
  /** When it was made; `undefined`: for whoever is answered with it. */
  readonly keptSinceMs: number | undefined
}

/** What takes less is made each time that it is asked for. */
const quickMs = 100
/** So old it is answered at once and made anew behind it. */
const freshMs = 60_000
/** Older than that nobody is answered with it. */
const keptMsMax = 15 * 60_000
const keptMax = 32

interface Made extends RankedAccounts {
  readonly atMs: number
  readonly tookMs: number
}

interface Entry {
  last: Made | undefined
  /** The one that is being made; whoever needs it waits for it together. */
  next: Promise<Made> | undefined
}

export class Rankings {
  readonly #entries = new Map<string, Entry>()
  readonly #now: () => number
  readonly #onFailure: (cause: unknown) => void

  /** `onFailure` hears of what failed while nobody waited for it. */
  constructor(onFailure: (cause: unknown) => void, now: () => number = Date.now) {
    this.#onFailure = onFailure
    this.#now = now
  }

  /** `name` says all that the ranking depends on, but for what was used. Fails where `make` does and none is kept. */
  async rank(name: string, make: () => Promise<RankedAccounts>): Promise<Ranked> {
    const entry = this.#entryOf(name)
    const last = this.#within(entry, keptMsMax)
    if (last === undefined || last.tookMs < quickMs) {
      const { count, ids } = await this.#make(entry, make)
      return { ids, count, keptSinceMs: undefined }
    }
    if (this.#within(entry, freshMs) === undefined) this.#make(entry, make).catch(this.#onFailure)
    return { ids: last.ids, count: last.count, keptSinceMs: last.atMs }
  }

  /** Makes it for whoever asks soon, unless one is kept. */
  async prepare(name: string, make: () => Promise<RankedAccounts>): Promise<void> {
    const entry = this.#entryOf(name)
    if (this.#within(entry, keptMsMax) === undefined) await this.#make(entry, make).catch(this.#onFailure)
  }

  #within({ last }: Entry, ageMsMax: number): Made | undefined {
    if (last === undefined) return undefined
    const ageMs = this.#now() - last.atMs
    // What is of the future was made before the clock was set back.
    return ageMs >= 0 && ageMs < ageMsMax ? last : undefined
  }

  #make(entry: Entry, make: () => Promise<RankedAccounts>): Promise<Made> {
    entry.next ??= this.#timed(make)
      .then((made) => (entry.last = made))
      .finally(() => (entry.next = undefined))
    return entry.next
  }

  async #timed(make: () => Promise<RankedAccounts>): Promise<Made> {
    const atMs = this.#now()
    const { count, ids } = await make()
    return { ids, count, atMs, tookMs: this.#now() - atMs }
  }

  /** Whatever was not asked for the longest goes first. */
  #entryOf(name: string): Entry {
    const entry = this.#entries.get(name) ?? { last: undefined, next: undefined }
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= keptMax) break
      this.#entries.delete(oldest)
    }
    return entry
  }
}
