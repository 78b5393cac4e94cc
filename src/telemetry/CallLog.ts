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
    flush(): void
  }
>()("tollgate/telemetry/CallLog") {
  static readonly layer = (level: LogLevel) =>
    Layer.sync(CallLog, () => {
      const lines = new LineWriter(1)
      const write = (fields: object) =>
        lines.write(JSON.stringify({ time: new Date().toISOString(), ...fields }))
      const logsCalls = level === "info" || level === "debug"
      return CallLog.of({
        call: (fields) => {
          if (logsCalls) write({ level: "info", message: "call", ...fields })
        },
        problem: (message, fields) => write({ level: "error", message, ...fields }),
        flush: () => lines.flushSync()
      })
    })
}
