/** Traffic of real providers, recorded: tests that replay it run where it is at hand. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of recorded traffic beside the checkout, where there is one. */
export const fixturesFolder = fileURLToPath(new URL("../../../shared/fixtures", import.meta.url))
export const hasFixtures = existsSync(fixturesFolder)
export const readFixture = (path: string): string => readFileSync(join(fixturesFolder, path), "utf8")
