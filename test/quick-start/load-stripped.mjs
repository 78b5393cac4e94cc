/**
 * Loaded into a process before its own code (`NODE_OPTIONS=--import`): takes the modules that `strip-ahead.mjs` has kept, as
 * Node would strip them itself. Node keeps nothing of that, and each thread of a process does it anew. What is not kept, or
 * was changed since, is loaded as ever.
 */
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"

export const folder = new URL("../../node_modules/.cache/tollgate-stripped/", import.meta.url)

/** What is kept of another place or of other text lies elsewhere. */
export const placeOf = (url, source) => new URL(hash("sha1", `${url}\n${source}`), folder)

registerHooks({
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
