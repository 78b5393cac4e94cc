/** How long to wait before what has died is started again: longer each time in a row, and from the beginning where it had lived. */
export interface PauseSettings {
  /** The last one stands for all that follow. */
  readonly delaysMs: ReadonlyArray<number>
  /** Whoever lived so long has not died in a row. */
  readonly steadyMs: number
}

export class Pauses {
  readonly #settings: PauseSettings
  #deaths = 0

  constructor(settings: PauseSettings) {
    this.#settings = settings
  }

  /** In ms, after a life of `livedMs`; a start that failed was none. */
  after(livedMs: number): number {
    const { delaysMs, steadyMs } = this.#settings
    if (livedMs >= steadyMs) this.#deaths = 0
    return delaysMs[Math.min(this.#deaths++, delaysMs.length - 1)] ?? 0
  }
}
