/** The built front end, held in memory: compressed when it was built, cached for ever where its name has a hash. */
import type { Language } from "../domain/language.ts"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Incoming, Reply } from "./exchange.ts"

export interface StaticFiles {
  /** `undefined` when there is no such file. */
  readonly answer: (incoming: Incoming) => Reply | undefined
  /** The one page that all addresses without a file show. */
  readonly answerPage: (incoming: Incoming) => Reply
}

interface StaticFile {
  readonly type: string
  readonly plain: Buffer
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
}

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json"
}

export const loadStaticFiles = (folder: string): StaticFiles => {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
  const files = new Map<string, StaticFile>()
  for (const name of names) {
    const type = types[name.split(".").at(-1) ?? ""]
    if (type === undefined) continue
    const read = (suffix: string) =>
      names.includes(name + suffix) ? readFileSync(join(folder, name + suffix)) : undefined
    files.set(`/dashboard/${name}`, {
      type,
      plain: readFileSync(join(folder, name)),
      br: read(".br"),
      gzip: read(".gz")
    })
  }
  const page = readFileSync(join(folder, "index.html"), "utf8")
  return {
    answer: (incoming) => {
      const file = files.get(incoming.path)
      return file && answerFile(incoming, file)
    },
    answerPage: (incoming) => answerPage(incoming, page)
  }
}

const answerFile = (incoming: Incoming, file: StaticFile): Reply => {
  const accepts = incoming.header("accept-encoding")
  // Vite names what lies there by its content.
  const isHashed = incoming.path.includes("/assets/")
  const [body, encoding] =
    file.br !== undefined && /\bbr\b/.test(accepts)
      ? [file.br, "br"]
      : file.gzip !== undefined && /\bgzip\b/.test(accepts)
        ? [file.gzip, "gzip"]
        : [file.plain, undefined]
  return {
    status: 200,
    headers: [
      ["content-type", file.type],
      ["cache-control", isHashed ? "public, max-age=31536000, immutable" : "public, max-age=3600"],
      ["vary", "accept-encoding"],
      ...(encoding === undefined ? [] : [["content-encoding", encoding] as const])
    ],
    body
  }
}

/** Language and theme are put in here, so that the first paint is right without an inline script. */
const answerPage = (incoming: Incoming, page: string): Reply => {
  const theme = /(?:^|; )tollgate_theme=(light|dark)(?:;|$)/.exec(incoming.header("cookie"))?.[1]
  const language = languageOf(incoming)
  const body = page.replace(
    '<html lang="vi">',
    `<html lang="${language}"${theme === undefined ? "" : ` data-theme="${theme}"`}>`
  )
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 20)}"`
  const headers: Array<readonly [string, string]> = [
    ["content-type", "text/html; charset=utf-8"],
    ["cache-control", "no-cache"],
    ["etag", tag],
    ["vary", "cookie, accept-language"]
  ]
  if (incoming.header("if-none-match") === tag) return { status: 304, headers, body: "" }
  return { status: 200, headers, body }
}

/** What pages are shown in: what was chosen on them, else what the browser likes. */
export const languageOf = ({ header }: Pick<Incoming, "header">): Language => {
  const chosen = /(?:^|; )tollgate_language=(vi|en)(?:;|$)/.exec(header("cookie"))?.[1]
  return (chosen as Language | undefined) ?? preferredLanguage(header("accept-language"))
}

/** The one of our languages that the browser likes best; Vietnamese where it names neither. */
export const preferredLanguage = (accepted: string): Language => {
  const liked = { vi: 0, en: 0 }
  for (const each of accepted.split(",").slice(0, 20)) {
    // Blanks have one place each: with two of them for the same ones, a header full of blanks would take seconds.
    const [, name, quality = "1"] = /^(vi|en)(?:-[\w-]*)?(?:\s*;\s*q=([\d.]+))?$/i.exec(each.trim()) ?? []
    const language = name?.toLowerCase()
    if (language === "vi" || language === "en")
      liked[language] = Math.max(liked[language], Number(quality) || 0)
  }
  return liked.en > liked.vi ? "en" : "vi"
}
