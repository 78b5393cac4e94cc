/** The setting's word for a level as Effect's. */
import type { LogLevel } from "./settings.ts"

const levels = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const

export const minimumLogLevel = (level: LogLevel) => levels[level]
