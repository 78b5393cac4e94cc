/** Of what may come in floods, so many are told in full in a while; how many more there were is told when it is over. */

export interface SamplerOptions {
  readonly fullMax: number
  readonly whileMs: number
  /** `more`: how many were left out, at least one. */
  readonly tellMore: (more: number) => void
}

/** In the log, of each thread. */
export const fewInTheLog = { fullMax: 20, whileMs: 10_000 }

export class Sampler {
  readonly #options: SamplerOptions
  #told = 0
  #more = 0
  #isCounting = false

  constructor(options: SamplerOptions) {
    this.#options = options
  }

  /** Whether this one is to be told in full. */
  take(): boolean {
    if (!this.#isCounting) {
      this.#isCounting = true
      // A thread that ends does not wait for it.
      setTimeout(() => this.#begin(), this.#options.whileMs).unref()
    }
    if (this.#told < this.#options.fullMax) {
      this.#told++
      return true
    }
    this.#more++
    return false
  }

  #begin(): void {
    const more = this.#more
    this.#isCounting = false
    this.#told = 0
    this.#more = 0
    if (more > 0) this.#options.tellMore(more)
  }
}
