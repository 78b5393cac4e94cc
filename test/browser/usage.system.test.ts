/** The usage page: what it was asked for stays, and what it shows is what was asked for. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { beforeAll } from "vitest"
import { english } from "../../src/dashboard/web/text/en.ts"
import { vietnamese as words } from "../../src/dashboard/web/text/usage-vi.ts"
import { vietnamese as ahead } from "../../src/dashboard/web/text/outlook-vi.ts"
import { vietnamese as paying } from "../../src/dashboard/web/text/paying-vi.ts"
import { vietnamese } from "../../src/dashboard/web/text/vi.ts"
import { dayText } from "../../src/domain/vietnam-days.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpPerson, type TestPerson } from "../dashboard/TestPerson.ts"
import { findViolations, settle } from "./check-page.ts"
import { sampleCall, writeCalls } from "./sample-data.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()
let person: TestPerson
let accountId: string
let keyId: string
let model: string

beforeAll(async () => {
  person = await signUpPerson(site.dashboard, "bo-loc@example.com")
  accountId = await accountOf(person)
  const key = (await person.post("/dashboard/api/keys", { name: "Máy chủ", rate_limit_per_minute: 0 })).body
  keyId = key.id
  const call = sampleCall(accountId, keyId, 1, Date.now() - 1_000)
  model = call.model
  const refused = {
    ...sampleCall(accountId, keyId, 2, Date.now()),
    model: "",
    modelRequested: "svc/nowhere"
  }
  await writeCalls(site.dashboard.databaseUrl, [
    { ...call, inputTokens: 1, outputTokens: 0, perMtokVnd: 1_500, cost: 1_500n },
    { ...refused, status: 404, errorType: "not_found_error", inputTokens: 0, outputTokens: 0, cost: 0n }
  ])
})

const openPage = (path: string, prepare?: (page: Page) => Promise<unknown>) =>
  site.openPage(path, person, prepare)

const choose = (page: Page, outcome: string) =>
  page.getByLabel(words.outcome).selectOption({ label: outcome })
const chosen = (page: Page, outcome: string) =>
  page
    .getByLabel(words.outcome)
    .locator("option:checked", { hasText: outcome })
    .waitFor({ state: "attached" })
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
const pressed = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true, pressed: true }).waitFor()

const dayMs = 86_400_000
const fullDayOf = (day: string): string =>
  new Date(`${day}T00:00:00+07:00`).toLocaleDateString("vi-VN", {
    timeZone: "Asia/Ho_Chi_Minh",
    day: "2-digit",
    month: "2-digit",
    year: "numeric"
  })

describe("the usage page", () => {
  it("goes on to the day that has come where it stays open over midnight", async () => {
    const { close, page } = await openPage("/usage")
    await page.locator("table.compact tbody tr").nth(1).waitFor()
    const nextDay = Date.now() + dayMs
    await page.clock.setFixedTime(nextDay)
    const asked = page.waitForRequest((request) => request.url().includes("/dashboard/api/usage?"))
    await page.getByTitle(words.only(model), { exact: true }).first().click()
    const { searchParams } = new URL((await asked).url())
    assert.strictEqual(dayText(Number(searchParams.get("to")) - 1), dayText(nextDay))
    await close()
  })
})

describe("the filters of the usage page", () => {
  it("are set by a click on what is shown: a model, a key, a status", async () => {
    const { close, page } = await openPage("/usage")
    const lines = page.locator("table.compact tbody tr")
    await lines.nth(1).waitFor()
    const narrow = (name: string) => page.getByTitle(words.only(name), { exact: true }).first().click()
    const isChosen = (label: string, value: string) =>
      page
        .locator(`select[aria-label="${label}"]`)
        .locator("option:checked", { hasText: value })
        .waitFor({ state: "attached" })
    await narrow("404")
    await chosen(page, "404")
    await lines.nth(1).waitFor({ state: "detached" })
    await page.getByRole("cell", { name: "svc/nowhere", exact: true }).waitFor()
    await choose(page, words.outcomes.all)
    await narrow(model)
    await isChosen(words.allModels, model)
    await lines.nth(1).waitFor({ state: "detached" })
    await narrow("Máy chủ")
    await isChosen(words.allKeys, "Máy chủ")
    assert.deepStrictEqual(await findViolations(page), [])
    await close()
  })

  it("offer every status that a key's calls are refused with", async () => {
    const { close, page } = await openPage("/usage")
    await page.locator("table.compact tbody tr").first().waitFor()
    const offered = await page.getByLabel(words.outcome).locator("option").allInnerTexts()
    assert.includeMembers(offered, ["401", "402", "403", "429"])
    await close()
  })

  it("are set to one day by a click on its bar, or on its line of the table", async () => {
    const { close, page } = await openPage("/usage")
    const plot = page.locator(".u-over")
    const { height, width } = (await plot.boundingBox())!
    await plot.hover({ position: { x: width - 20, y: height - 5 } })
    await plot.click({ position: { x: width - 20, y: height - 5 } })
    await pressed(page, words.periods.custom)
    await page.getByRole("heading", { name: words.byHour }).waitFor()
    await press(page, words.periods.week)
    await page.getByText(words.chartTable).click()
    const yesterday = dayText(Date.now() - dayMs)
    await page.getByTitle(words.only(fullDayOf(yesterday)), { exact: true }).click()
    await pressed(page, words.periods.custom)
    assert.include(page.url(), `from=${yesterday}`)
    await close()
  })

  it("show a call as it comes while the list is followed", async () => {
    const { close, page } = await openPage("/usage")
    await page.getByLabel(words.tail).check()
    await writeCalls(site.dashboard.databaseUrl, [
      {
        ...sampleCall(accountId, keyId, 3, Date.now()),
        modelRequested: "svc/later",
        model: "",
        status: 404,
        errorType: "not_found_error",
        cost: 0n
      }
    ])
    await page.getByRole("cell", { name: "svc/later", exact: true }).waitFor()
    await close()
  })

  it("are still there after a reload, and after another page and back", async () => {
    const { close, page } = await openPage("/usage")
    await press(page, words.periods.month)
    await page.getByLabel(words.allKeys).selectOption({ label: "Máy chủ" })
    await choose(page, words.outcomes.failed)
    await page.reload()
    await settle(page)
    const areKept = async () => {
      await pressed(page, words.periods.month)
      await chosen(page, words.outcomes.failed)
      const key = page.getByLabel(words.allKeys).locator("option:checked", { hasText: "Máy chủ" })
      await key.waitFor({ state: "attached" })
    }
    await areKept()
    await page.getByRole("link", { name: vietnamese.nav.models }).click()
    await page.getByRole("heading", { name: vietnamese.models.title, level: 1 }).waitFor()
    await page.goBack()
    await areKept()
    await page.getByRole("link", { name: vietnamese.nav.usage }).click()
    await pressed(page, words.periods.week)
    await close()
  })

  it("are set to the failed calls by the overview's way to all errors", async () => {
    const { close, page } = await openPage("/overview")
    await page.getByRole("link", { name: vietnamese.overview.errorsAll }).click()
    await chosen(page, words.outcomes.failed)
    await page.getByRole("cell", { name: "svc/nowhere", exact: true }).waitFor()
    await close()
  })

  it("leave no chart to draw where nothing was used, and say so instead", async () => {
    const { close, page } = await openPage("/usage?period=custom&from=2026-01-01&to=2026-01-02")
    await page.getByText(words.chartNothing(words.cost)).waitFor()
    await press(page, words.tokens)
    await page.getByText(words.chartNothing(words.tokens)).waitFor()
    assert.strictEqual(await page.locator("canvas").count(), 0)
    await close()
  })

  it("say so where the chosen days are no period", async () => {
    const { close, page } = await openPage("/usage?period=custom&from=2026-11-20&to=2026-11-01")
    await page.getByText(words.badPeriod).waitFor()
    await close()
  })

  it("hold for the exported file too", async () => {
    const { close, page } = await openPage("/usage?model=claude-sonnet-5")
    const href = await page.getByRole("link", { name: words.exportCsv }).getAttribute("href")
    assert.strictEqual(new URL(href ?? "", site.dashboard.url).searchParams.get("model"), "claude-sonnet-5")
    await close()
  })
})

describe("the overview", () => {
  it("says why calls were refused, and has the QR code at hand", async () => {
    const other = await signUpPerson(site.dashboard, "het-tien@example.com")
    const id = await accountOf(other)
    const key = (await other.post("/dashboard/api/keys", { name: "Trợ lý", rate_limit_per_minute: 0 })).body
    const refused = {
      ...sampleCall(id, key.id, 4, Date.now()),
      status: 402,
      errorType: "insufficient_balance"
    }
    await writeCalls(site.dashboard.databaseUrl, [
      { ...refused, inputTokens: 0, outputTokens: 0, cost: 0n },
      {
        ...sampleCall(id, key.id, 5, Date.now()),
        inputTokens: 1,
        outputTokens: 0,
        perMtokVnd: 1_500,
        cost: 1_500n
      }
    ])
    const { close, page } = await site.openPage("/overview", other)
    await page.getByText(ahead.becauseBalance("1")).waitFor()
    await page.getByText("Trợ lý", { exact: true }).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.getByRole("button", { name: /QR/ }).click()
    await page.getByText(paying.scan).waitFor()
    await page.getByRole("link", { name: ahead.seeCalls }).click()
    await chosen(page, "402")
    await close()
  })
})

describe("what the usage page shows", () => {
  it("names the model that was asked for where no model answered", async () => {
    const { close, page } = await openPage("/overview")
    await page.getByText("svc/nowhere", { exact: true }).waitFor()
    await page.goto("/dashboard/usage")
    await page.getByRole("cell", { name: "svc/nowhere", exact: true }).waitFor()
    await close()
  })

  it("tells fractions of a dong apart at the chart's axis", async () => {
    const collect = `window.drawn = []; const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        window.drawn.push(text)
        return fillText.call(this, text, ...rest)
      }`
    const { close, page } = await openPage("/usage", (page) => page.addInitScript(collect))
    await page.locator(".u-over").waitFor()
    await page.waitForFunction("window.drawn.length > 0")
    const labels = (await page.evaluate("window.drawn")) as ReadonlyArray<string>
    const amounts = labels.filter((label) => !label.includes("/"))
    assert.include(amounts, "0,001")
    assert.isAbove(new Set(amounts).size, 2)
    await close()
  })

  it("counts one call as one call in English, too", async () => {
    const { close, page } = await openPage("/overview", (page) =>
      page.route("**/dashboard/api/overview", async (route) => {
        const sum = { spent_vnd: "1", calls: 1, failed_calls: 0, tokens: 16_700 }
        const answer = {
          balance_vnd: "1",
          today: sum,
          month: sum,
          errors: [],
          active_keys: 1,
          has_calls: true
        }
        await route.fulfill({ json: answer })
      })
    )
    await page.getByText("16,7 nghìn token").first().waitFor()
    await page.getByRole("button", { name: "English" }).click()
    await page.getByText(english.overview.calls("1"), { exact: true }).first().waitFor()
    await page.getByText("16.7K tokens").first().waitFor()
    assert.strictEqual(english.overview.calls("1"), "1 call")
    await close()
  })
})
