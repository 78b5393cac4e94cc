/** What came of a small call that an operator sent over one route alone. Plain data: it crosses threads. */
export interface RouteTried {
  /** The catalogue's id of the model that was asked. */
  readonly model: string
  /** `undefined`: no answer came. */
  readonly status: number | undefined
  readonly firstByteMs: number | undefined
  readonly totalMs: number
  /** Why no answer came, or not to its end, in one word. */
  readonly fault: string | undefined
  /** What the provider said of an error, without what tells of our keys. */
  readonly message: string | undefined
}
