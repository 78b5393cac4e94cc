/**
 * Loaded into a process before its own code (`NODE_OPTIONS=--import`): takes the modules that `strip-ahead.mjs` has kept, as
 * Node would strip them itself. Node keeps nothing of that, and each thread of a process does it anew. What is not kept, or
 * was changed since, is loaded as ever. Where a module lies is found once for all that name it alike, which is a quarter of a start.
 */
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"

export const folder = new URL("../../node_modules/.cache/tollgate-stripped/", import.meta.url)

/** What is kept of another place or of other text lies elsewhere. */
export const placeOf = (url, source) => new URL(hash("sha1", `${url}\n${source}`), folder)

/** `/…/node_modules/a/`, or the program itself: whatever lies there finds the same packages, unless it has packages of its own. */
const rootOf = (url) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(url)?.[0] ?? ""
const packages = new Map()

/** Whether a folder's `.js` are modules is one answer for all of them. */
const moduleFolders = new Set()
const folderOf = (url) => url.slice(0, url.lastIndexOf("/"))

const resolveRelative = (specifier, context, next) => {
  const { href } = new URL(specifier, context.parentURL)
  if (href.endsWith(".ts")) return { url: href, format: "module-typescript", shortCircuit: true }
  if (!href.endsWith(".js")) return next(specifier, context)
  if (moduleFolders.has(folderOf(href))) return { url: href, format: "module", shortCircuit: true }
  const found = next(specifier, context)
  if (found.format === "module" && found.url === href) moduleFolders.add(folderOf(href))
  return found
}

const resolvePackage = (specifier, context, next) => {
  const key = `${rootOf(context.parentURL)} ${specifier}`
  const known = packages.get(key)
  if (known !== undefined) return { ...known, shortCircuit: true }
  const { format, url } = next(specifier, context)
  packages.set(key, { format, url })
  return { format, url }
}

registerHooks({
  resolve: (specifier, context, next) => {
    const isImported = context.conditions?.includes("import") && context.parentURL?.startsWith("file:")
    if (!isImported || Object.keys(context.importAttributes ?? {}).length > 0) return next(specifier, context)
    if (/^\.\.?\//.test(specifier)) return resolveRelative(specifier, context, next)
    if (/^(?:node:|#|\/|file:|data:)/.test(specifier)) return next(specifier, context)
    return resolvePackage(specifier, context, next)
  },
  load: (url, context, next) => {
    if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context)
    try {
      const place = placeOf(url, readFileSync(fileURLToPath(url), "utf8"))
      return { format: "module", source: readFileSync(place, "utf8"), shortCircuit: true }
    } catch {
      return next(url, context)
    }
  }
})
