/** An operator's day in the browser, through the pages as they follow each other: money, a customer in trouble, prices, providers. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { english as englishDesk } from "../../src/dashboard/web/text/desk-en.ts"
import { vietnamese as vietnameseDesk } from "../../src/dashboard/web/text/desk-vi.ts"
import { english as englishMargin } from "../../src/dashboard/web/text/margin-en.ts"
import { vietnamese as vietnameseMargin } from "../../src/dashboard/web/text/margin-vi.ts"
import { english as englishProviders } from "../../src/dashboard/web/text/providers-en.ts"
import { vietnamese as vietnameseProviders } from "../../src/dashboard/web/text/providers-vi.ts"
import { english as englishStatement } from "../../src/dashboard/web/text/statement-en.ts"
import { vietnamese as vietnameseStatement } from "../../src/dashboard/web/text/statement-vi.ts"
import { dayText } from "../../src/domain/vietnam-days.ts"
import { signUpOperator, signUpPerson, tellTransfer, type TestPerson } from "../dashboard/TestPerson.ts"
import { until } from "../until.ts"
import { findViolations } from "./check-page.ts"
import { settleStray } from "./settle-stray.ts"
import { call, languages } from "./steps.ts"
import { useServer } from "./use-server.ts"

const site = useServer()

const chapters = {
  vi: {
    desk: vietnameseDesk,
    providers: vietnameseProviders,
    statement: vietnameseStatement,
    ...vietnameseMargin
  },
  en: { desk: englishDesk, providers: englishProviders, statement: englishStatement, ...englishMargin }
}

describe.each(languages)("an operator's day, in %s", (language, words, operator) => {
  const { bulk, desk, providers, statement } = chapters[language]
  const email = `khach-${language}@example.com`
  const shown = (vietnamese: string) => (language === "vi" ? vietnamese : vietnamese.replaceAll(".", ","))

  const openDay = async () => {
    const customer = await signUpPerson(site.server, email)
    const { key } = (await customer.post("/dashboard/api/keys", { name: "Lộ rồi", rate_limit_per_minute: 0 }))
      .body
    const own = `desk-${language}@example.com`
    const { errors, close, page } = await site.openPage(
      language,
      await signUpOperator(site.server, own),
      "/operator"
    )
    const dialog = page.getByRole("dialog")
    const main = page.getByRole("main")
    const go = (name: string) => page.getByRole("link", { name, exact: true }).first().click()
    const ask = async () => (await call(site.server, key)).status
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
    const isWell = async () => {
      assert.deepStrictEqual(await findViolations(page), [])
    }
    return { ask, close, customer, dialog, errors, go, isWell, key, main, own, page, press }
  }
  type Day = Awaited<ReturnType<typeof openDay>>

  /** The customer mistyped the code of an order. */
  const assignStray = async ({ ask, customer, dialog, isWell, page, press }: Day) => {
    const order = await customer.post("/dashboard/api/top-ups", { amount: 100_000 })
    const { code } = order.body as { readonly code: string }
    const mistyped = `${code.slice(0, -1)}${code.endsWith("2") ? "3" : "2"}`
    const referenceCode = `FT-${language}`
    await tellTransfer(site.server, {
      id: `stray-${language}`,
      referenceCode,
      content: mistyped,
      transferAmount: 100_000
    })
    assert.strictEqual(await ask(), 402)

    await page.getByRole("link", { name: operator.service.assignNow }).click()
    await press(operator.transfers.assign)
    await dialog
      .getByRole("button", { name: email })
      .getByText(operator.transfers.suggestionReasons.code)
      .waitFor()
    await isWell()
    await dialog.getByRole("button", { name: email }).click()
    assert.strictEqual(await dialog.getByLabel(operator.transfers.account).inputValue(), email)
    await dialog.getByRole("button", { name: operator.transfers.assign, exact: true }).click()
    await page.getByText(operator.transfers.assigned, { exact: true }).waitFor()
    await page.getByText(operator.transfers.noneUnmatched, { exact: true }).waitFor()
    assert.strictEqual(await ask(), 200)
  }

  const seeReceipt = async (customer: TestPerson) => {
    const { close, errors, page } = await site.openPage(language, customer, "/statement")
    await page.getByRole("link", { name: statement.receipt, exact: true }).click()
    await page.getByText(shown("100.000 ₫"), { exact: true }).waitFor()
    await page.getByText(`FT-${language}`).waitFor()
    assert.deepStrictEqual(errors, [])
    await close()
  }

  const find = async (page: Page, asked: string, name: string) => {
    const search = page.getByRole("search").getByLabel(words.nav.find)
    await search.fill(asked)
    await search.press("Enter")
    await page.getByRole("main").getByRole("link", { name }).click()
  }

  const seeTrouble = async ({ dialog, isWell, key, page }: Day) => {
    const failed = await call(site.server, key, "[sim: status=500]")
    assert.isAtLeast(failed.status, 500)
    // A call that costs nothing is written down after its answer.
    const written = () => site.server.sql`select from calls where id = ${failed.requestId}`
    await until(async () => (await written()).length > 0)
    await find(page, failed.requestId, failed.requestId)
    await dialog.getByText(failed.requestId).waitFor()
    await dialog.getByText(String(failed.status), { exact: true }).waitFor()
    await dialog.getByText(failed.body.error!.type, { exact: true }).waitFor()
    await isWell()
    await page.keyboard.press("Escape")
    await page.getByRole("heading", { name: email, level: 1 }).waitFor()
  }

  /** The whole key, as it was found somewhere, is looked for by its hint and stands in no address. */
  const endLeakedKey = async ({ ask, dialog, key, main, page }: Day) => {
    await find(page, key, "Lộ rồi")
    assert.notInclude(decodeURIComponent(page.url()), key.slice(10, -4))
    const confirm = async (name: string) => {
      await main.getByRole("button", { name }).click()
      await dialog.getByRole("button", { name }).click()
    }
    await confirm(desk.keys.pause)
    await page.getByText(desk.keys.paused, { exact: true }).waitFor()
    assert.strictEqual(await ask(), 401)
    await confirm(desk.keys.resume)
    await page.getByText(desk.keys.resumed, { exact: true }).waitFor()
    assert.strictEqual(await ask(), 200)
    await confirm(words.keys.revoke)
    await page.getByText(words.keys.revokedToast, { exact: true }).waitFor()
    assert.strictEqual(await ask(), 401)

    await main.getByRole("link", { name: desk.customer.viewNames.overview }).click()
    await page.getByLabel(desk.notes.hint).fill("Key lộ trên GitHub, đã thu hồi.")
    await page.getByRole("button", { name: desk.notes.save }).click()
    await page.getByRole("listitem").getByText("Key lộ trên GitHub, đã thu hồi.").waitFor()
  }

  const raisePrice = async ({ dialog, go, isWell, page, press }: Day) => {
    const [now, next] = [shown("2.400 ₫"), shown("2.640 ₫")]
    await go(words.nav.prices)
    await page.getByRole("searchbox", { name: words.models.search }).fill("gpt-5.5")
    const tomorrow = () => dayText(Date.now() + 86_400_000)
    const before = tomorrow()
    await press(bulk.open)
    assert.include([before, tomorrow()], await dialog.getByLabel(bulk.from).inputValue())
    await dialog.getByLabel(bulk.percent).fill("10")
    await dialog.getByRole("button", { name: bulk.review }).click()
    await dialog.getByText(`${now} → ${next}`).waitFor()
    await isWell()
    await dialog.getByRole("button", { name: bulk.save }).click()
    await page.getByText(bulk.saved, { exact: true }).waitFor()

    const sold = page.getByRole("row").filter({ has: page.getByText(operator.prices.next(next, "")) })
    await sold.getByText(now, { exact: true }).waitFor()
    assert.notInclude(await sold.innerText(), operator.prices.changedBadge)
    assert.match(await sold.innerText(), /\b00:00\b/)
    const change = page.getByRole("row").filter({ hasText: bulk.states.waiting }).first()
    await change.getByRole("button", { name: bulk.cancel }).click()
    await isWell()
    await dialog.getByRole("button", { name: bulk.cancel }).click()
    await page.getByText(bulk.cancelled, { exact: true }).waitFor()
    await change.waitFor({ state: "detached" })
    await sold.waitFor({ state: "detached" })
  }

  const routeOf = (page: Page, heading: string | RegExp) => {
    const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: heading }) })
    // Its name is said after the word, to those who do not see where the button is.
    const button = (name: string) => card.getByRole("button", { name: new RegExp(`^${name}\\s`) })
    return { card, button }
  }

  const tryRoute = async ({ customer, dialog, go, isWell, page }: Day) => {
    const { key } = (await customer.post("/dashboard/api/keys", { name: "Mới", rate_limit_per_minute: 0 }))
      .body
    const ask = async () => (await call(site.server, key)).status
    await go(words.nav.providers)
    const { button, card } = routeOf(page, "anthropic#0")
    await button(providers.pause).click()
    await button(providers.resume).waitFor()
    await page.getByText(providers.pausedNow, { exact: true }).waitFor()
    assert.strictEqual(await ask(), 502)
    await button(providers.test).click()
    await card.getByText(providers.testWell).waitFor()
    assert.include(await card.getByRole("status").innerText(), "HTTP 200")
    await isWell()
    await button(providers.resume).click()
    await button(providers.pause).waitFor()
    assert.strictEqual(await ask(), 200)

    await button(providers.weigh).click()
    await dialog.getByLabel(providers.weight).fill("0")
    await dialog.getByRole("button", { name: providers.save }).click()
    await dialog.getByText(providers.weightBad).waitFor()
    const weight = language === "vi" ? "2,5" : "2.5"
    await dialog.getByLabel(providers.weight).fill(weight)
    await dialog.getByRole("button", { name: providers.save }).click()
    await dialog.waitFor({ state: "detached" })
    await card.getByText(providers.weightOf(weight, "1")).waitFor()
  }

  const addRoute = async ({ dialog, isWell, page, press }: Day) => {
    await press(providers.add)
    await dialog.getByRole("button", { name: providers.save }).click()
    await dialog.getByText(providers.needed).first().waitFor()
    await dialog.getByLabel(providers.provider, { exact: true }).selectOption("openai")
    await dialog.getByLabel(providers.baseUrl).fill("http://127.0.0.1:1")
    await dialog.getByLabel(providers.key, { exact: true }).fill("sk-of-the-provider-1234")
    await dialog.getByLabel(providers.modelsOnly).fill("gpt-5.5")
    await dialog.getByLabel(providers.priority).fill("1000")
    await isWell()
    await dialog.getByRole("button", { name: providers.save }).click()
    await dialog.getByText(providers.refused).waitFor()
    await dialog.getByLabel(providers.baseUrl).fill("https://provider.example.com/v1")
    await dialog.getByRole("button", { name: providers.save }).click()
    await page.getByText(providers.savedRoute, { exact: true }).waitFor()

    const { button, card } = routeOf(page, /^openai\+/)
    await card.getByText(providers.keyEnds("1234")).waitFor()
    await button(providers.remove).click()
    await dialog.getByRole("button", { name: providers.remove }).click()
    await page.getByText(providers.removed, { exact: true }).waitFor()
    await card.waitFor({ state: "detached" })
  }

  /** What they may not do is not offered. */
  const lookAsSupport = async ({ main, own, page }: Day) => {
    await site.server.sql`update accounts set staff_role = 'support' where email = ${own}`
    await page.reload()
    await main.getByRole("heading", { name: "anthropic#0" }).waitFor()
    assert.strictEqual(await main.getByRole("button").count(), 0)
    await find(page, email, email)
    await page.getByLabel(desk.notes.hint).waitFor()
    assert.strictEqual(await main.locator("form").count(), 1)
  }

  // A dozen steps, each of which may take its time on a machine with much else to do.
  it("goes from a stray transfer to a customer in trouble, a leaked key, a price and a provider", async () => {
    const day = await openDay()
    await assignStray(day)
    await seeReceipt(day.customer)
    await settleStray(day, { server: site.server, language, words: operator, email })
    await seeTrouble(day)
    await endLeakedKey(day)
    await raisePrice(day)
    await tryRoute(day)
    await addRoute(day)
    await lookAsSupport(day)
    // The address of the route that was refused.
    assert.deepStrictEqual(
      day.errors.filter((error) => !error.includes("400")),
      []
    )
    await day.close()
  }, 300_000)
})
