/** Builds the program into a few files, from which it starts in half the time and with less memory; see `entries.ts`. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"
import type { Plugin } from "vite"
import { builtFolder, entries, librariesName, root } from "./entries.ts"

/** Libraries that stay as they are: of native code, with files that they find beside their own, or that few starts need. */
const apart = ["uWebSockets.js", "msgpackr", "piscina", "@aws-sdk/credential-providers", "vite"]

/** How many former builds are kept, since processes may still run that have not loaded all of theirs. */
const formerMax = 1

export const ensureProgramBuilt = async (): Promise<void> => {
  const target = fileURLToPath(builtFolder()).replace(/\/$/, "")
  if (existsSync(target)) return
  const folder = `${target}.${process.pid}`
  mkdirSync(folder, { recursive: true })
  try {
    await buildInto(folder)
    // Whoever was first with the same files has made the same.
    if (!existsSync(target)) renameSync(folder, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  removeFormer(target)
}

const buildInto = async (folder: string): Promise<void> => {
  const projectFolder = fileURLToPath(root)
  const { build } = await import("vite")
  await build({
    configFile: false,
    root: projectFolder,
    logLevel: "warn",
    plugins: [namesSources(projectFolder)],
    ssr: { noExternal: true, external: apart, target: "node" },
    build: {
      ssr: true,
      target: "node22",
      minify: false,
      outDir: folder,
      copyPublicDir: false,
      rolldownOptions: {
        input: Object.fromEntries(
          Object.entries(entries).map(([name, path]) => [name, `${projectFolder}${path}`])
        ),
        output: {
          entryFileNames: "[name].mjs",
          chunkFileNames: "[name]-[hash].mjs",
          comments: false,
          codeSplitting: {
            groups: [
              // Each thread loads what it needs of them.
              {
                name: librariesName,
                test: /\/node_modules\//,
                entriesAware: true,
                entriesAwareMergeThreshold: 20_000
              }
            ]
          }
        }
      }
    }
  })
}

/** A module that finds files by where it lies itself finds them by where its source does; `entries.ts` knows of both. */
const namesSources = (projectFolder: string): Plugin => ({
  name: "names-sources",
  transform: (code, id) => {
    const path = posix.relative(projectFolder, id)
    if (!/^(?:src|workers)\//.test(path) || path === "src/program/entries.ts") return
    return code
      .replaceAll("import.meta.url", `new URL("../../../${path}", import.meta.url).href`)
      .replaceAll("import.meta.dirname", `(import.meta.dirname + "/../../../${posix.dirname(path)}")`)
  }
})

const removeFormer = (target: string): void => {
  const all = posix.dirname(target)
  const former = readdirSync(all)
    // Others are being made.
    .filter((name) => !name.includes("."))
    .map((name) => posix.join(all, name))
    .filter((folder) => folder !== target)
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
  for (const folder of former.slice(formerMax)) rmSync(folder, { recursive: true, force: true })
}
