/** One JSON line for every call: metadata only. Of calls that nobody's key stands behind, a sample. */
import { Context, Layer } from "effect"
import type { LogLevel } from "../config/settings.ts"
import { LineWriter } from "./LineWriter.ts"
import { fewInTheLog, Sampler } from "./Sampler.ts"

export type LogFields = Readonly<
  Record<string, string | number | boolean | null | undefined | ReadonlyArray<unknown>>
>

export class CallLog extends Context.Service<
  CallLog,
  {
    call(fields: LogFields): void
    /** A call that was refused before its key was known: anybody can make any number of them. */
    stranger(fields: () => LogFields): void
    /** Something that an operator should see; where each call has it, a sample. `fields` never hold what callers or models wrote. */
    problem(message: string, fields: LogFields): void
    /** Something that is taken care of, and may become a problem. */
    warning(message: string, fields: LogFields): void
  }
>()("tollgate/telemetry/CallLog") {
  static readonly layer = (level: LogLevel) =>
    Layer.sync(CallLog, () => {
      const lines = new LineWriter(1, (dropped) =>
        lineOf('"level":"error","message":"log lines were dropped, since nobody read them"', { dropped })
      )
      const write = (head: string, fields: LogFields) => lines.write(lineOf(head, fields))
      const logsCalls = level === "info" || level === "debug"
      const call = (fields: LogFields) => {
        if (logsCalls) write('"level":"info","message":"call"', fields)
      }
      const strangers = new Sampler({
        ...fewInTheLog,
        tellMore: (count) =>
          write('"level":"info","message":"more calls were refused before a key was known"', { count })
      })
      // By their messages: there are few.
      const problems = new Map<string, Sampler>()
      const samplerOf = (message: string): Sampler => {
        const known = problems.get(message)
        if (known !== undefined) return known
        const tellMore = (count: number) =>
          write('"level":"error","message":"there was more of a problem"', { problem: message, count })
        const sampler = new Sampler({ ...fewInTheLog, tellMore })
        problems.set(message, sampler)
        return sampler
      }
      return CallLog.of({
        call,
        stranger: (fields) => {
          if (logsCalls && strangers.take()) call(fields())
        },
        problem: (message, fields) => {
          if (samplerOf(message).take()) write(`"level":"error","message":${JSON.stringify(message)}`, fields)
        },
        warning: (message, fields) => {
          if (level !== "error") write(`"level":"warn","message":${JSON.stringify(message)}`, fields)
        }
      })
    })
}

/** Put together around the fields, since copying them into one object costs as much as writing them. */
const lineOf = (head: string, fields: LogFields): string => {
  const text = JSON.stringify(fields)
  const rest = text === "{}" ? "}" : `,${text.slice(1)}`
  return `{"time":"${new Date().toISOString()}",${head}${rest}`
}
