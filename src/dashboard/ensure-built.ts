/** Builds the front end when it is missing or its sources have changed since. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { digestFiles, filesIn } from "../program/digest-files.ts"

const root = join(import.meta.dirname, "../..")
const sources = "src/dashboard/web"
/** The front end reads money as the command line does. */
const shared = "src/domain"
const target = join(root, "dist/dashboard")
const stampName = ".built-from"

/** The folder of the built front end. */
export const ensureBuilt = async (onBuild: () => void = () => {}): Promise<string> => {
  const stamp = digestFiles(root, [...filesIn(root, sources), ...filesIn(root, shared)])
  if (isBuiltFrom(stamp)) return target
  onBuild()
  const folder = `${target}.${process.pid}`
  await buildInto(folder)
  await compressAll(folder)
  writeFileSync(join(folder, stampName), stamp)
  replaceTarget(folder, stamp)
  return target
}

const isBuiltFrom = (stamp: string): boolean => {
  const stampFile = join(target, stampName)
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp
}

const buildInto = async (folder: string): Promise<void> => {
  // Loaded only here: a running server needs no build tool.
  const { build } = await import("vite")
  await build({
    configFile: join(root, sources, "vite.config.ts"),
    root: join(root, sources),
    logLevel: "warn",
    build: { outDir: folder, emptyOutDir: true }
  })
}

const compressAll = async (folder: string): Promise<void> => {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
  for (const name of names.filter((name) => /\.(js|css|svg|txt)$/.test(name))) {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
    writeFileSync(`${path}.br`, await promisify(brotliCompress)(bytes, quality))
    writeFileSync(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
}

/** Renamed into place whole. Where another process was first with the same files, its copy stays. */
const replaceTarget = (folder: string, stamp: string): void => {
  const former = `${folder}.former`
  mkdirSync(join(target, ".."), { recursive: true })
  try {
    if (existsSync(target)) renameSync(target, former)
    renameSync(folder, target)
  } catch (cause) {
    if (!isBuiltFrom(stamp)) throw cause
  } finally {
    rmSync(former, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}
