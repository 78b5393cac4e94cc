/**
 * npm leaves out native parts of libraries whose `engines` exclude the Node that runs npm itself (before 20.19), though all is run
 * by the one that comes as a dependency: that one has npm add them.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Nothing is built without it, and no other excludes more. */
const library = "rolldown"

/** `folder` is the project's, `npm` the script of the npm that installs it. Throws where npm can not add them. */
export const addNativeParts = (folder: string, npm = process.env["npm_execpath"]): void => {
  if (npm === undefined || hasNativePart(join(folder, "node_modules"))) return
  const install = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"]
  execFileSync(process.execPath, [npm, ...install], { cwd: folder, stdio: "inherit" })
}

const hasNativePart = (modules: string): boolean => {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(modules, library, "package.json"), "utf8")
  ) as { readonly optionalDependencies: Record<string, string> }
  return Object.keys(optionalDependencies).some((name) => existsSync(join(modules, name)))
}
