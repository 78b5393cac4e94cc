/** Setting up an authenticator app, signing in with it and confirming with it, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import jsqr from "jsqr"
import type { Page } from "playwright-core"
import { PNG } from "pngjs"
import { english } from "../../src/dashboard/web/text/security-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/security-vi.ts"
import { codeOf, nextCodeOf, secretOf } from "../accounts/totp.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, testPassword } from "../dashboard/TestPerson.ts"
import { findViolations, watchErrors } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { languages } from "./steps.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard({ environment: { OPERATORS_SECOND_FACTOR: "required" } })

const readQr = async (page: Page): Promise<string> => {
  const { data, height, width } = PNG.sync.read(await page.getByTestId("qr").screenshot())
  return jsqr.default(new Uint8ClampedArray(data), width, height)!.data
}

/** As apps show it. */
const shown = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`

/** As keyboards for Chinese and Japanese may write it. */
const wide = (code: string) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))

const signIn = async (page: Page, words: (typeof languages)[number][1], email: string) => {
  await page.goto("/dashboard/signin")
  await page.getByLabel(words.auth.email).fill(email)
  await page.getByLabel(words.auth.password, { exact: true }).fill(testPassword)
  await page.getByRole("button", { name: words.auth.signIn, exact: true }).click()
}

describe.each(languages)("two tabs in which an app is set up, in %s", (language, words) => {
  it("have one QR code that counts: the other says so, also once the app is set up", async () => {
    const security = language === "vi" ? vietnamese : english
    const person = await signUpPerson(site.dashboard, `hai-the-${language}@example.com`)
    const context = await openContext(site.browser, site.dashboard, person, {
      language,
      viewport: { width: 390, height: 844 }
    })
    const begin = async () => {
      const page = await context.newPage()
      await page.goto("/dashboard/account")
      await page.getByRole("button", { name: security.setUp }).click()
      await page.getByRole("dialog").getByLabel(words.auth.currentPassword).fill(testPassword)
      await page.getByRole("button", { name: security.next }).click()
      const secret = secretOf(await readQr(page))
      const show = async (code: string) => {
        await page.getByRole("dialog").getByLabel(security.code).fill(code)
        await page.getByRole("button", { name: security.turnOn, exact: true }).click()
      }
      return { page, secret, show }
    }
    const [former, current] = [await begin(), await begin()]
    await former.show(codeOf(former.secret))
    await former.page.getByText(security.problems.totp_replaced).waitFor()
    assert.deepStrictEqual(await findViolations(former.page), [])
    await current.show("000000")
    await current.page.getByText(security.problems.INVALID_CODE).waitFor()
    await current.show(codeOf(current.secret))
    await current.page.getByTestId("codes").waitFor()
    await former.show(codeOf(former.secret))
    await former.page.getByText(security.problems.TOTP_ALREADY_ENABLED).waitFor()
    await former.page.getByRole("button", { name: words.common.cancel }).click()
    await former.page.getByText(security.on, { exact: true }).waitFor()
    await context.close()
  })
})

describe.each(languages)("an operator, in %s", (language, words, operator) => {
  const security = language === "vi" ? vietnamese : english

  it("is led to an authenticator app, signs in with it, and shows it again before money moves", async () => {
    const email = `van-hanh-${language}@example.com`
    const person = await signUpOperator(site.dashboard, email)
    const id = await accountOf(person)
    const context = await openContext(site.browser, site.dashboard, person, { language })
    const page = await context.newPage()
    const errors = watchErrors(page)
    await page.goto("/dashboard/operator/accounts")
    await page.getByRole("heading", { name: security.firstTitle, level: 1 }).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])

    await page.getByRole("button", { name: security.setUp }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel(words.auth.currentPassword).fill(testPassword)
    await dialog.getByRole("button", { name: security.next }).click()
    await dialog.getByTestId("qr").waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    const secret = secretOf(await readQr(page))
    await dialog.getByLabel(security.code).fill(shown(codeOf(secret)))
    await dialog.getByRole("button", { name: security.turnOn, exact: true }).click()
    await dialog.getByTestId("codes").waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    const [recovery] = (await dialog.getByTestId("codes").innerText()).split("\n")
    await dialog.getByRole("button", { name: security.kept }).click()
    await page.getByRole("heading", { name: operator.accounts.title, level: 1 }).waitFor()

    await page.getByRole("button", { name: words.nav.signOut }).first().click()
    await page.getByRole("heading", { name: words.auth.signInTitle }).waitFor()
    await signIn(page, words, email)
    await page.getByRole("heading", { name: security.stepTitle }).waitFor()
    await page.getByText(security.stepLost, { exact: true }).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    // Copied by hand.
    await page
      .getByLabel(security.code)
      .fill(recovery!.toUpperCase().replaceAll("-", "–").replaceAll("0", "O"))
    await page.getByRole("button", { name: words.auth.signIn, exact: true }).click()
    await page.getByRole("heading", { name: words.overview.title, level: 1 }).waitFor()

    await site.dashboard.sql`update sessions set confirmed_at = now() - interval '11 minutes'`
    await page.goto(`/dashboard/operator/account?id=${id}`)
    await page.getByLabel(operator.accounts.amount).fill("5000")
    await page.getByLabel(operator.accounts.reason).fill("Khuyến mãi")
    await page.getByRole("button", { name: operator.accounts.review }).click()
    await dialog.getByRole("button", { name: operator.accounts.save }).click()
    const asked = page.getByRole("dialog", { name: security.confirmTitle })
    await asked.waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await asked.getByLabel(security.code).fill(wide(shown(nextCodeOf(secret))))
    await asked.getByRole("button", { name: security.confirm }).click()
    await page.getByText(`${operator.accounts.saved}: `).waitFor()
    const [wallet] = await site.dashboard.sql`
      select balance_micro_vnd::text as balance from wallet_balances where account_id = ${id}`
    assert.strictEqual(wallet?.["balance"], "5000000000")
    // The one refusal of money that was not confirmed is all that the console tells of.
    assert.isTrue(
      errors.every((error) => error.includes("403")),
      errors.join("\n")
    )
    await context.close()
  })
})
