/** What the load generator is told to do and what it answers: plain data, since it runs as a process of its own. */

export interface Target {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Further nodes that connections are spread over. */
  readonly otherUrls?: ReadonlyArray<string>
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** A file with one API key to a line: each request takes the next one, in place of the header value `{key}`. */
  readonly keysFile?: string
}

export interface LoadJob extends Target {
  readonly connections: number
  readonly seconds: number
  /** So many requests, however long they take, instead of `seconds`. */
  readonly requests?: number
  /** Requests a second on a fixed schedule; latency then counts from when a request was due. Else as fast as it goes. */
  readonly ratePerSecond?: number
  /** The answer's events carry the time they were sent. */
  readonly stamped?: boolean
}

/** Opens connections and leaves them open, each with one answer under way. */
export interface HoldJob extends Target {
  readonly connections: number
  /** Reads nothing more after the first bytes. */
  readonly readsNothing?: boolean
}

/** Milliseconds. */
export interface Percentiles {
  readonly count: number
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  readonly max: number
}

export interface LoadResult {
  readonly requests: number
  readonly failures: number
  readonly firstFailure: string | undefined
  readonly seconds: number
  readonly bytes: number
  readonly events: number
  /** From the start of a request, or from when it was due, to the end of its answer. */
  readonly latency: Percentiles
  /** From the same start to the first content: the first stamped event, or the first byte of the body. */
  readonly firstByte: Percentiles
  /** From the sending of an event to its arrival. */
  readonly eventDelay: Percentiles
}

export interface HoldResult {
  readonly open: number
  readonly failures: number
  readonly firstFailure: string | undefined
}

export type ToGenerator =
  | { readonly kind: "load"; readonly id: number; readonly job: LoadJob }
  | { readonly kind: "hold"; readonly id: number; readonly job: HoldJob }
  /** Closes what is held. */
  | { readonly kind: "release"; readonly id: number }

export type FromGenerator = { readonly id: number; readonly result: LoadResult | HoldResult | undefined }
