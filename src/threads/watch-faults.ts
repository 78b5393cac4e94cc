/**
 * What is thrown where nobody can catch it, told apart by what it has interrupted.
 *
 * A library that throws from a timer or a socket's callback of its own has broken off nothing of ours: what it was about
 * fails by its own limits, and all else goes on. So does a promise that fails unnoticed. But where our own code stands on
 * the stack it was broken off in the midst of something, and what it left behind is not known: that thread has to end.
 */
import { isOurs } from "../program/entries.ts"
import { describeFault } from "../telemetry/describe-fault.ts"

export interface FaultHandlers {
  /** Something failed that all else goes on without. */
  readonly outlive: (description: string) => void
  /** The thread has to end, with whatever it still can put in order. */
  readonly end: (description: string) => void
}

/** So many are told in a minute. */
const toldMax = 20
const minuteMs = 60_000

/** The answer stops it. */
export const watchFaults = ({ end, outlive }: FaultHandlers): (() => void) => {
  let told = 0
  let sinceMs = -Infinity
  const tell = (fault: unknown, what: string) => {
    if (performance.now() - sinceMs > minuteMs) {
      sinceMs = performance.now()
      told = 0
    }
    if (told++ < toldMax) outlive(`${what}: ${describeFault(fault)}`)
  }
  const onException = (fault: unknown) => {
    if (interruptsOurs(fault)) end(describeFault(fault))
    else tell(fault, "A library threw where nobody could catch it")
  }
  const onRejection = (fault: unknown) => tell(fault, "Something failed unnoticed")
  process.on("uncaughtException", onException)
  process.on("unhandledRejection", onRejection)
  return () => {
    process.off("uncaughtException", onException)
    process.off("unhandledRejection", onRejection)
  }
}

/** A frame that only waited (`at async …`) was interrupted by nothing. A stack that was cut off may hide one of ours. */
const interruptsOurs = (fault: unknown): boolean => {
  const stack = fault instanceof Error ? fault.stack : undefined
  if (stack === undefined) return true
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line))
  if (frames.length === 0 || frames.length >= Error.stackTraceLimit) return true
  return frames.some((frame) => !/^\s+at async /.test(frame) && isOurs(frame))
}
