/** Strips the types of all modules of the program, and keeps what `load-stripped.mjs` takes. */
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { basename } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { folder, placeOf } from "./load-stripped.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))

mkdirSync(folder, { recursive: true })
const before = new Set(readdirSync(folder))
for (const name of globSync("{src,workers}/**/*.ts", { cwd: root })) {
  const path = root + name
  const url = pathToFileURL(path).href
  const source = readFileSync(path, "utf8")
  const place = placeOf(url, source)
  if (before.delete(basename(place.pathname))) continue
  const whole = new URL(`${place.href}.${process.pid}`)
  writeFileSync(whole, stripTypeScriptTypes(source, { sourceUrl: url }))
  renameSync(whole, place)
}
for (const name of before) rmSync(new URL(name, folder), { force: true })
