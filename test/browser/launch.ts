/**
 * Starts the Chromium that ships inside the npm package @sparticuz/chromium under playwright-core: no system package is
 * needed, as root or as a normal user.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, LaunchOptions } from "playwright-core"

const packageDir = join(import.meta.dirname, "../../node_modules/@sparticuz/chromium")
const { version } = JSON.parse(readFileSync(join(packageDir, "package.json"), "utf8")) as { version: string }
const cacheDir = join(import.meta.dirname, "../../node_modules/.cache", `chromium-${version}`)

let shared: Promise<Browser> | undefined

/** One for all test files of this process, whose contexts have nothing in common. It ends with the process. */
export const shareBrowser = async (): Promise<Browser> => {
  const browser = await (shared ??= launchBrowser())
  if (browser.isConnected()) return browser
  shared = undefined
  return shareBrowser()
}

export const launchBrowser = async (options: LaunchOptions = {}): Promise<Browser> => {
  const executablePath = await prepareBrowser()
  const { chromium } = await import("playwright-core")
  const libraries = [process.env["LD_LIBRARY_PATH"], join(cacheDir, "al2023", "lib")]
    .filter(Boolean)
    .join(":")
  return chromium.launch({
    ...options,
    executablePath,
    env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(cacheDir, "fonts.conf") },
    // Not the package's default arguments: they turn web security off.
    args: ["--no-sandbox", "--no-zygote", "--font-render-hinting=none", ...(options.args ?? [])]
  })
}

/** Unpacks the browser where that has not been done. Not to be done twice at the same time. */
export const prepareBrowser = async (): Promise<string> => {
  mkdirSync(cacheDir, { recursive: true })
  const before = process.env["TMPDIR"]
  // The package unpacks into os.tmpdir() and would reuse another version's files there.
  process.env["TMPDIR"] = cacheDir
  try {
    const { default: chromium, inflate } = await import("@sparticuz/chromium")
    const executable = await chromium.executablePath()
    // libnss3, libnspr4 and libexpat for bare machines; the package itself unpacks them only on Lambda.
    if (!existsSync(join(cacheDir, "al2023", "lib", "libnss3.so"))) {
      await inflate(join(packageDir, "bin", "al2023.tar.br"))
    }
    writeFileSync(join(cacheDir, "fonts.conf"), fontsConfiguration)
    return executable
  } finally {
    if (before === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = before
  }
}

const prefer = (family: string, font: string) =>
  `<match target="pattern"><test name="family"><string>${family}</string></test>` +
  `<edit name="family" mode="prepend" binding="strong"><string>${font}</string></edit></match>`

// The bundled file names a fixed folder: with another one no font is found and text has height 0.
const fontsConfiguration =
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${cacheDir}/fonts</dir>` +
  `<dir>/usr/share/fonts</dir><cachedir>${cacheDir}/fontcache</cachedir>` +
  `${prefer("system-ui", "Open Sans")}${prefer("sans-serif", "Open Sans")}${prefer("monospace", "DejaVu Sans Mono")}` +
  "</fontconfig>"
