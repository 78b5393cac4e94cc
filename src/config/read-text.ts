import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { BadSetting } from "./settings.ts"

/** A file that a setting names. */
export const readText = (setting: string, path: string) =>
  Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: (cause) =>
      new BadSetting({ setting, reason: `can not read ${path} (${(cause as NodeJS.ErrnoException).code})` })
  })
