/**
 * The environment in which processes of the program start in little more than half the processor's time: what Node makes of
 * modules is kept. They are the same modules, run as they are.
 */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const preload = new URL("./load-stripped.mjs", import.meta.url).href
const stripper = fileURLToPath(new URL("./strip-ahead.mjs", import.meta.url))

/** Of the system tests, and of the processes they start that get theirs from them. */
export const quickStart = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/tollgate-compiled", import.meta.url)),
  NODE_OPTIONS: `--import ${preload}`
}

/** For processes that are given an environment of their own. */
export const quickStartOfTests = (): Record<string, string> =>
  process.env["NODE_OPTIONS"] === quickStart.NODE_OPTIONS ? quickStart : {}

/** Once before processes are started with it; in a process of its own, since Node warns of what is experimental. */
export const prepareQuickStart = (): void => {
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", stripper])
}
