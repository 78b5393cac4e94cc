/** All that the log tells but calls, in the form of their lines: `{"time":…,"level":"warn","message":…}` and what belongs to it. */
import { Formatter, Logger } from "effect"

const jsonLine = Logger.map(
  Logger.formatStructured,
  ({ annotations, cause, level, message, timestamp }): string => {
    const [said, ...details]: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
    return Formatter.formatJson({
      time: timestamp,
      level: level.toLowerCase(),
      message: said,
      ...(details.length > 0 && { details }),
      cause,
      ...annotations
    })
  }
)

export const logLines = Logger.layer([Logger.withConsoleLog(jsonLine)])
