/**
 * Where each thread of the program begins. Installing the program also builds it, into a few files without what of its
 * libraries nothing needs: it starts in half the time, and takes less memory. Where it is not built, or its sources have changed
 * since, the sources run as they are.
 */
import { existsSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"
import { digestFiles, filesIn } from "./digest-files.ts"

/** By name, the module that a thread begins with, from the project's folder. */
export const entries = {
  cli: "src/cli/run.ts",
  gateway: "workers/gateway.ts",
  dashboard: "workers/dashboard.ts",
  codec: "workers/codec.ts",
  simulator: "workers/simulator.ts"
} as const

export type EntryName = keyof typeof entries

/** This module is built, too, and then lies beside the others: `dist/program/<digest>/`. */
const isBuilt = import.meta.url.endsWith(".mjs")

/** The project's folder; ends with a slash. */
export const root = new URL(isBuilt ? "../../../" : "../../", import.meta.url)

/** The entry of a thread that is started here: built in a program that is, its source in one that is not. */
export const entryOf = (name: EntryName): URL =>
  isBuilt ? new URL(`./${name}.mjs`, import.meta.url) : new URL(entries[name], root)

/** Built files that hold libraries alone begin so. */
export const librariesName = "libraries"

/** Whether a frame of a stack (`at … (file:///…)`) lies in code of the program, and not in a library or Node. */
export const isOurs = (frame: string): boolean =>
  [`${root.href}src/`, `${root.href}workers/`].some((folder) => frame.includes(folder)) ||
  (frame.includes(`${root.href}dist/program/`) && !frame.includes(`/${librariesName}`))

/** The folder of the program as it is built of the present sources. */
export const builtFolder = (): URL => new URL(`dist/program/${digestOfSources()}/`, root)

/** Where the program begins: built, if it is, of the present sources. */
export const programEntry = (): URL => {
  const built = new URL("cli.mjs", builtFolder())
  return existsSync(built) ? built : new URL(entries.cli, root)
}

/**
 * Keeps what Node compiles of a built program beside it, for the next start of each of its threads. A folder that may not be
 * written to keeps nothing.
 */
export const keepCompiled = (entry: URL): void => {
  if (!entry.pathname.endsWith(".mjs")) return
  // Threads find its name there.
  process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("compiled/", entry))
  enableCompileCache(process.env["NODE_COMPILE_CACHE"])
}

const digestOfSources = (): string => {
  const folder = fileURLToPath(root)
  // Pages are built apart.
  const sources = [...filesIn(folder, "src"), ...filesIn(folder, "workers")].filter(
    (name) => name.endsWith(".ts") && !name.startsWith("src/dashboard/web/")
  )
  return digestFiles(folder, ["package.json", "package-lock.json", ...sources]).slice(0, 16)
}
