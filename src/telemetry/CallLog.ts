/** One JSON line for every call: metadata only. */
import { Context, Layer } from "effect"
import type { LogLevel } from "../config/settings.ts"
import { LineWriter } from "./LineWriter.ts"

export type LogFields = Readonly<
  Record<string, string | number | boolean | null | undefined | ReadonlyArray<unknown>>
>

export class CallLog extends Context.Service<
  CallLog,
  {
    call(fields: LogFields): void
    /** Something that an operator should see. `fields` never hold what callers or models wrote. */
    problem(message: string, fields: LogFields): void
  }
>()("tollgate/telemetry/CallLog") {
  static readonly layer = (level: LogLevel) =>
    Layer.sync(CallLog, () => {
      const lines = new LineWriter(1, (dropped) =>
        lineOf('"level":"error","message":"log lines were dropped, since nobody read them"', { dropped })
      )
      const write = (head: string, fields: LogFields) => lines.write(lineOf(head, fields))
      const logsCalls = level === "info" || level === "debug"
      return CallLog.of({
        call: (fields) => {
          if (logsCalls) write('"level":"info","message":"call"', fields)
        },
        problem: (message, fields) => write(`"level":"error","message":${JSON.stringify(message)}`, fields)
      })
    })
}

/** Put together around the fields, since copying them into one object costs as much as writing them. */
const lineOf = (head: string, fields: LogFields): string => {
  const text = JSON.stringify(fields)
  const rest = text === "{}" ? "}" : `,${text.slice(1)}`
  return `{"time":"${new Date().toISOString()}",${head}${rest}`
}
