/** A session that ends while a dialog is open: what was typed in it is not lost. */
import { assert, describe, it } from "@effect/vitest"
import type { BrowserContext, Page } from "playwright-core"
import { english as englishAlerts } from "../../src/dashboard/web/text/alerts-en.ts"
import { vietnamese as vietnameseAlerts } from "../../src/dashboard/web/text/alerts-vi.ts"
import { english } from "../../src/dashboard/web/text/security-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/security-vi.ts"
import { enrol, nextCodeOf } from "../accounts/totp.ts"
import { signUpPerson, TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { assertWhole } from "./assert-whole.ts"
import { findViolations, settle } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { comeBack, languages } from "./steps.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()

const endSession = async (context: BrowserContext) => {
  const cookies = await context.cookies()
  await context.clearCookies()
  await context.addCookies(cookies.filter(({ name }) => name === "tollgate_language"))
}

const signInElsewhere = async (context: BrowserContext, email: string) => {
  const person = new TestPerson(site.dashboard)
  await person.signIn(email)
  const other = await openContext(site.browser, site.dashboard, person)
  await context.addCookies(await other.cookies())
  await other.close()
}

describe.each(languages)("a dialog whose session has ended, in %s", (language, words) => {
  const security = language === "vi" ? vietnamese : english
  const alerts = language === "vi" ? vietnameseAlerts : englishAlerts

  const begin = async (name: string) => {
    const email = `${name}-${language}@example.com`
    const person = await signUpPerson(site.dashboard, email)
    const context = await openContext(site.browser, site.dashboard, person, {
      language,
      viewport: { width: 390, height: 844 }
    })
    const page = await context.newPage()
    await page.goto("/dashboard/keys")
    await settle(page)
    await page.locator("main header button").click()
    const field = page.getByLabel(words.keys.name)
    await field.fill("Máy chủ của Lan")
    const keys = async () =>
      (await person.get("/dashboard/api/keys")).body.keys.map(({ name }: { name: string }) => name)
    return { context, email, field, keys, page, person }
  }
  const askedIn = (page: Page) => page.getByRole("dialog", { name: security.againTitle })

  it("asks to sign in where it is sent, and is sent then", async () => {
    const { context, email, field, keys, page } = await begin("tai-cho")
    await endSession(context)
    await field.press("Enter")
    const asked = askedIn(page)
    await asked.getByText(security.againHint(email)).waitFor()
    await page.locator("input[type=password]:focus").waitFor()
    await assertWhole(page)
    await page.keyboard.type("wrong password")
    await page.keyboard.press("Enter")
    await asked.getByText(words.errors.codes.INVALID_EMAIL_OR_PASSWORD).waitFor()
    assert.deepStrictEqual(await keys(), [])
    await asked.getByLabel(words.auth.password, { exact: true }).fill(testPassword)
    await page.keyboard.press("Enter")
    await page.getByTestId("secret").waitFor()
    assert.deepStrictEqual(await keys(), ["Máy chủ của Lan"])
    await context.close()
  })

  it("asks for the second step, too, where there is one", async () => {
    const { context, field, page, person } = await begin("hai-buoc")
    const { secret } = await enrol(person)
    await endSession(context)
    await field.press("Enter")
    await page.locator("input[type=password]:focus").waitFor()
    await page.keyboard.type(testPassword)
    await page.keyboard.press("Enter")
    await askedIn(page).getByLabel(security.code).waitFor()
    await page.locator("input[autocomplete=one-time-code]:focus").waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.keyboard.type(nextCodeOf(secret))
    await page.keyboard.press("Enter")
    await page.getByTestId("secret").waitFor()
    await context.close()
  })

  it("stays with its text where that is put off, and is sent after signing in in another tab", async () => {
    const { context, email, field, keys, page } = await begin("the-khac")
    await endSession(context)
    await comeBack(page)
    await page.getByRole("status").getByText(words.errors.codes.signed_out).waitFor()
    assert.strictEqual(await askedIn(page).count(), 0)
    await field.press("Enter")
    await askedIn(page).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").getByRole("alert").getByText(words.errors.codes.signed_out).waitFor()
    await page.locator("dialog input:focus").waitFor()
    assert.strictEqual(await field.inputValue(), "Máy chủ của Lan")
    await field.press("Enter")
    await askedIn(page).getByRole("link", { name: security.inNewTab }).waitFor()
    await signInElsewhere(context, email)
    await comeBack(page)
    await page.getByTestId("secret").waitFor()
    assert.deepStrictEqual(await keys(), ["Máy chủ của Lan"])
    await context.close()
  })

  it("is not sent as somebody else who signs in meanwhile", async () => {
    const { context, field, keys, page } = await begin("nguoi-khac")
    const other = `ai-do-${language}@example.com`
    await signUpPerson(site.dashboard, other, "Ai Đó")
    await endSession(context)
    await field.press("Enter")
    await askedIn(page).waitFor()
    await signInElsewhere(context, other)
    await comeBack(page)
    await page.getByText(other).first().waitFor({ state: "attached" })
    await page.getByRole("dialog").waitFor({ state: "detached" })
    assert.deepStrictEqual(await keys(), [])
    await context.close()
  })

  it("is like a form of the page, whose typing is kept, too", async () => {
    const { context, page } = await begin("trong-trang")
    await page.goto("/dashboard/topup")
    await page.getByRole("textbox", { name: words.topup.amount }).fill("345000")
    await endSession(context)
    await page.getByRole("button", { name: words.topup.create }).press("Enter")
    await askedIn(page).getByLabel(words.auth.password, { exact: true }).fill(testPassword)
    await page.keyboard.press("Enter")
    await page.getByTestId("qr").waitFor()
    await page
      .getByText(`${(345_000).toLocaleString(language)} ₫`)
      .first()
      .waitFor()
    await context.close()
  })

  it("is like a form of the page, which stays when one comes back, until it has been sent", async () => {
    const { context, email, page } = await begin("tro-lai")
    await page.goto("/dashboard/alerts")
    const days = page.getByLabel(alerts.days)
    await days.fill("7")
    await endSession(context)
    await comeBack(page)
    await page.getByRole("status").getByText(words.errors.codes.signed_out).waitFor()
    assert.strictEqual(await days.inputValue(), "7")
    await signInElsewhere(context, email)
    await comeBack(page)
    await days.press("Enter")
    await page.getByRole("status").getByText(alerts.saved).waitFor()
    await endSession(context)
    await comeBack(page)
    await page.getByRole("heading", { name: words.auth.signInTitle }).waitFor()
    await context.close()
  })

  it("gives way to the sign-in once it is closed", async () => {
    const { context, page } = await begin("dong-lai")
    await endSession(context)
    await comeBack(page)
    await page.keyboard.press("Escape")
    await comeBack(page)
    await page.getByRole("heading", { name: words.auth.signInTitle }).waitFor()
    await context.close()
  })
})
