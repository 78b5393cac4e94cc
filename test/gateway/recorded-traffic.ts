/** Traffic of real providers, recorded. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { sharedPath } from "../shared-folder.ts"

export const fixturesFolder = sharedPath("fixtures")
export const readFixture = (path: string): string => readFileSync(join(fixturesFolder, path), "utf8")
