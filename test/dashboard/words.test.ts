/** What the pages say, as people of either language write it. */
import { assert, describe, it } from "@effect/vitest"
import { globSync } from "node:fs"
import { join } from "node:path"
import { vi } from "vitest"
import { problemStatus } from "../../src/dashboard/definition/problems.ts"
import { english as docs } from "../../src/dashboard/web/text/docs-en.ts"
import { english as main } from "../../src/dashboard/web/text/en.ts"
import { english as margin } from "../../src/dashboard/web/text/margin-en.ts"
import { english as operator } from "../../src/dashboard/web/text/operator-en.ts"
import { english as outlook } from "../../src/dashboard/web/text/outlook-en.ts"
import { english as security } from "../../src/dashboard/web/text/security-en.ts"
import { english as paying } from "../../src/dashboard/web/text/paying-en.ts"
import { english as keys } from "../../src/dashboard/web/text/keys-en.ts"
import { english as statement } from "../../src/dashboard/web/text/statement-en.ts"
import { english as team } from "../../src/dashboard/web/text/team-en.ts"
import { vietnameseProblems } from "../../src/dashboard/web/text/problems-vi.ts"
import { english as usage } from "../../src/dashboard/web/text/usage-en.ts"

const textFolder = join(import.meta.dirname, "../../src/dashboard/web/text")

/** All that stands in the words of one language; of what is made from figures, what is made of these. */
const sayingsOf = (words: unknown): ReadonlyArray<string> => {
  if (typeof words === "string") return [words]
  if (typeof words === "function") return [String(words("1.234", "1.234"))]
  if (typeof words !== "object" || words === null) return []
  return Object.values(words).flatMap(sayingsOf)
}

const allSayings = async (language: "vi" | "en") => {
  const files = globSync(`{${language},*-${language}}.ts`, { cwd: textFolder })
  const modules = await Promise.all(files.map((file) => import(join(textFolder, file))))
  return modules.flatMap(sayingsOf)
}

describe("what is refused", () => {
  /** Met by programs alone. */
  const untold = new Set(["not_json", "out_of_scope"])
  /** Told by the one dialog that meets them. */
  const ownWords = new Set(["webhook_url", "too_many_webhooks", "route_refused", "too_many_routes"])

  it("is told in words on every page that meets it", () => {
    const ofPages = {
      ...paying.problems,
      ...keys.problems,
      ...security.problems,
      ...team.problems,
      ...operator.problems
    }
    const told = Object.keys({ ...vietnameseProblems.codes, ...ofPages })
    const codes = Object.keys(problemStatus).filter((code) => !untold.has(code))
    assert.deepStrictEqual(
      codes.filter((code) => !told.includes(code) && !ownWords.has(code)),
      []
    )
  })

  it("is told without the operators' words where everybody meets it", () => {
    assert.containsAllKeys(vietnameseProblems.codes, ["last_owner", "foreign_origin", "too_large"])
  })
})

describe("the pages in English", () => {
  it("speak of one in the singular", () => {
    const sayings = [
      docs.tokens("1"),
      main.overview.calls("1"),
      main.models.count(1),
      margin.margin.unpricedNote("1"),
      margin.margin.uses("1"),
      margin.bulk.title("1"),
      operator.service.activeKeys("1"),
      outlook.refusedTitle("1"),
      statement.calls("1", "1"),
      team.revokeKeys("1"),
      usage.dropped("1", "01/11/2026")
    ]
    for (const saying of sayings)
      assert.notMatch(saying, /\b(?:calls|tokens|uses|models|prices|keys)\b/, saying)
  })
})

describe("the pages in Vietnamese", () => {
  it("have one word for each idea", async () => {
    const others =
      /cuộc gọi|lệnh gọi|lệnh nạp|hạy lại|Mã mô hình|mã mô hình|bộ nhớ đệm|chứng từ|người vận hành/
    const sayings = await allSayings("vi")
    assert.isAbove(sayings.length, 900)
    assert.deepStrictEqual(
      sayings.filter((saying) => others.test(saying)),
      []
    )
  })

  it("write decimals with a comma and moments with the whole year", async () => {
    assert.deepStrictEqual(
      (await allSayings("vi")).filter((saying) => /(?<![\d.])0\.\d|\b1\.2500|\b1000\b/.test(saying)),
      []
    )
    vi.stubGlobal("document", { documentElement: { lang: "vi" } })
    const { dateTime, exactTime } = await import(join(textFolder, "../language.ts"))
    vi.unstubAllGlobals()
    const moment = Date.parse("2026-11-01T02:08:05Z")
    assert.deepStrictEqual([dateTime(moment), exactTime(moment)], ["09:08 01/11/2026", "09:08:05 01/11/2026"])
  })
})
