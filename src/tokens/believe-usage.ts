/** Which counts of an upstream are believed. What no call of the kind can have used is never charged: ours stands for it. */
import type { OtherTokens, Particulars } from "../domain/particulars.ts"
import type { Usage } from "../domain/usage.ts"

/** What a call can have used at most. Plain data: it crosses threads. */
export interface UsageLimits {
  /** Tokens that the model can read for it, whatever was sent. */
  readonly inputMax: number
  /** What is taken for an input that is not believed: what was held for. */
  readonly inputBound: number
  /** Tokens that its cap lets it write, thoughts included. */
  readonly outputCap: number
  /** Tokens that it can write, by its cap and by the model, with what providers may be out by. */
  readonly outputMax: number
}

export interface BelievedUsage {
  readonly usage: Usage
  /** What the upstream told, where not all of it is believed. */
  readonly disbelieved: Usage | undefined
}

/** `seenBound` is what the output that was seen hardly exceeds: one that comes in spite of its cap is charged. */
export const believeUsage = (told: Usage, limits: UsageLimits, seenBound: () => number): BelievedUsage => {
  const { inputTokens, outputTokens } = told
  const isInput = inputTokens <= limits.inputMax
  const seen = outputTokens <= limits.outputMax ? undefined : seenBound()
  const isOutput = seen === undefined || outputTokens <= withTolerance(seen)
  if (isInput && isOutput) return { usage: told, disbelieved: undefined }
  return {
    usage: {
      inputTokens: isInput ? inputTokens : limits.inputBound,
      outputTokens: isOutput ? outputTokens : seen!
    },
    disbelieved: told
  }
}

/** What other models did for an answer, as far as that can be; where the usage around it can not, none of it is believed. */
export const believeParticulars = (
  told: Particulars,
  isUsageBelieved: boolean,
  { inputMax, outputMax }: UsageLimits
): Particulars => {
  if (told.others.length === 0) return told
  const can = (other: OtherTokens) => other.inputTokens <= inputMax && other.outputTokens <= outputMax
  return { ...told, others: isUsageBelieved ? told.others.filter(can) : [] }
}

export interface CallSize {
  /** The model's context window, if it has one. */
  readonly window: number | null
  readonly inputBound: number
  /** Tokens of one answer: the cap, and thoughts beyond it. */
  readonly outputEach: number
  readonly answers: number
  /** How often the provider may read and write for one answer. */
  readonly rounds: number
}

export const usageLimits = ({ answers, inputBound, outputEach, rounds, window }: CallSize): UsageLimits => {
  // The catalogue's windows are rounded, and hosts raise small ones.
  const context = Math.ceil(Math.max(window ?? 0, windowLeast) * 1.25) * answers * rounds
  return {
    inputMax: Math.max(context, inputBound),
    inputBound,
    outputCap: outputEach * answers,
    outputMax: Math.min(context, withTolerance(outputEach * answers * rounds))
  }
}

const windowLeast = 1_000_000

/** What overruns its cap by more is a slip. What does by less may be a way of counting: of thoughts, of tools' calls. */
const withTolerance = (tokens: number): number => 2 * tokens + 16_384
