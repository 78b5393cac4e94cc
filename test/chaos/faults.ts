/** The table of what an upstream can do wrong, and what a caller must see of each: used by the tests and by the soak. */

export interface Fault {
  /** As the simulator is told it. */
  readonly directive: string
  /** What a caller of a plain call sees. */
  readonly plain: Seen
  /** What a caller of a stream sees: another answer, or an error event after content. */
  readonly streamed: Seen | "error event"
  /** It lasts until a limit of time. */
  readonly hangs?: boolean
}

export interface Seen {
  readonly status: number
  readonly type: string
}

const failed: Seen = { status: 502, type: "api_error" }
const limited: Seen = { status: 429, type: "rate_limit_error" }
const refused: Seen = { status: 400, type: "invalid_request_error" }

const both = (directive: string, seen: Seen): Fault => ({ directive, plain: seen, streamed: seen })
const underWay = (directive: string): Fault => ({ directive, plain: failed, streamed: "error event" })

/** What a plain call and a stream do not have in common is left out of the other. */
export const faults: ReadonlyArray<Fault> = [
  both("status=400", refused),
  both("status=401", failed),
  both("status=403", failed),
  both("status=404", failed),
  both("status=408", failed),
  both("status=413", { status: 413, type: "request_too_large" }),
  both("status=422", refused),
  both("status=429 retry-after=3", limited),
  both("status=500", failed),
  both("status=502", failed),
  both("status=503", failed),
  both("status=529", failed),
  both("cut_after=0", failed),
  both("end_after=0", failed),
  both("rubbish_after=0", failed),
  underWay("tokens=60 cut_after=12"),
  underWay("tokens=60 end_after=12"),
  underWay("tokens=60 rubbish_after=12"),
  underWay("tokens=60 fail_after=12"),
  { ...both("hang=headers", failed), hangs: true },
  { ...both("hang=first", failed), hangs: true },
  { ...underWay("tokens=60 hang=after:12"), hangs: true }
]

/** Plain answers alone can be these. */
export const plainFaults: ReadonlyArray<Pick<Fault, "directive" | "plain">> = [
  { directive: "body=html", plain: failed },
  { directive: "body=text", plain: failed },
  { directive: "body=empty", plain: failed },
  { directive: "body=short", plain: failed }
]
