/** Adding a passkey, signing in and confirming by it, and removing it, in a real browser with an authenticator of its own. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { english } from "../../src/dashboard/web/text/security-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/security-vi.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, testPassword } from "../dashboard/TestPerson.ts"
import { findViolations, watchErrors } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { languages } from "./steps.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard({ host: "localhost", environment: { OPERATORS_SECOND_FACTOR: "required" } })

/** Like that of a phone or laptop, whose owner says yes at once, or who is a stranger to it. */
const plugIn = async (page: Page, isUserVerified: boolean) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("WebAuthn.enable")
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true
    }
  })
  const look = async () => {
    assert.deepStrictEqual(await findViolations(page, devtools), [])
  }
  /** What the device holds. */
  const kept = async () => {
    const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId })
    return credentials.map(({ credentialId }) => credentialId)
  }
  return { look, kept }
}

const openAccount = async (email: string, language: string) => {
  const person = await signUpOperator(site.dashboard, email)
  const context = await openContext(site.browser, site.dashboard, person, { language })
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.goto("/dashboard/account")
  return { person, page, errors, close: () => context.close() }
}

describe.each(languages)("an operator's passkey, in %s", (language, words, operator) => {
  const security = language === "vi" ? vietnamese : english

  it("is added, signs in alone, is asked for before money moves, and is removed", async () => {
    const { close, errors, page, person } = await openAccount(`van-tay-${language}@example.com`, language)
    const id = await accountOf(person)
    const { look } = await plugIn(page, true)
    const dialog = page.getByRole("dialog")

    await page.getByRole("button", { name: security.addPasskey }).click()
    await dialog.getByLabel(security.passkeyName).fill("Laptop")
    await look()
    await dialog.getByLabel(words.auth.currentPassword).fill(testPassword)
    await dialog.getByRole("button", { name: security.addPasskey }).click()
    await page.getByText(security.passkeyAdded).waitFor()
    await page.getByText("Laptop", { exact: true }).waitFor()
    await look()

    await page.getByRole("button", { name: words.nav.signOut }).first().click()
    await page.getByRole("button", { name: security.signInByPasskey }).waitFor()
    await look()
    await page.getByRole("button", { name: security.signInByPasskey }).click()
    // It leads back to the page that was left.
    await page.getByText("Laptop", { exact: true }).waitFor()

    await site.dashboard.sql`update sessions set confirmed_at = now() - interval '11 minutes'`
    await page.goto(`/dashboard/operator/account?id=${id}`)
    await page.getByLabel(operator.accounts.amount).fill("5000")
    await page.getByLabel(operator.accounts.reason).fill("Khuyến mãi")
    await page.getByRole("button", { name: operator.accounts.review }).click()
    await dialog.getByRole("button", { name: operator.accounts.save }).click()
    const asked = page.getByRole("dialog", { name: security.confirmTitle })
    await asked.waitFor()
    await look()
    await asked.getByRole("button", { name: security.usePasskey }).click()
    await page.getByText(`${operator.accounts.saved}: `).waitFor()
    const [wallet] = await site.dashboard.sql`
      select balance_micro_vnd::text as balance from wallet_balances where account_id = ${id}`
    assert.strictEqual(wallet?.["balance"], "5000000000")

    await page.goto("/dashboard/account")
    await page.getByRole("button", { name: security.remove, exact: true }).click()
    await page.getByRole("dialog", { name: security.removePasskey("Laptop") }).waitFor()
    await look()
    await dialog.getByRole("button", { name: security.remove, exact: true }).click()
    await page.getByText(security.passkeyRemoved).waitFor()
    await page.getByText("Laptop", { exact: true }).waitFor({ state: "detached" })
    assert.deepStrictEqual(
      errors.filter((error) => !error.includes("403")),
      []
    )
    await close()
  })

  it("says of a sign-in that the page was not told of that it failed, and is there to be tried again", async () => {
    const { close, page } = await openAccount(`mat-mang-${language}@example.com`, language)
    await plugIn(page, true)
    const dialog = page.getByRole("dialog")
    await page.getByRole("button", { name: security.addPasskey }).click()
    await dialog.getByLabel(security.passkeyName).fill("Laptop")
    await dialog.getByLabel(words.auth.currentPassword).fill(testPassword)
    await dialog.getByRole("button", { name: security.addPasskey }).click()
    await page.getByText("Laptop", { exact: true }).waitFor()
    await page.getByRole("button", { name: words.nav.signOut }).first().click()
    const signIn = page.getByRole("button", { name: security.signInByPasskey })
    await signIn.waitFor()
    await page.route("**/api/session", (route) => route.abort())
    await signIn.click()
    await page.getByRole("alert").getByText(words.errors.network).waitFor()
    await page.unroute("**/api/session")
    await signIn.click()
    await page.getByText("Laptop", { exact: true }).waitFor()
    await close()
  })

  it("is one on a device, which puts another in its place once it was removed, and forgets it where there is none", async () => {
    const { close, page } = await openAccount(`mot-may-${language}@example.com`, language)
    const { kept } = await plugIn(page, true)
    const dialog = page.getByRole("dialog")
    const add = async (asksPassword: boolean) => {
      await page.getByRole("button", { name: security.addPasskey }).click()
      await dialog.getByLabel(security.passkeyName).fill("Laptop")
      if (asksPassword) await dialog.getByLabel(words.auth.currentPassword).fill(testPassword)
      await dialog.getByRole("button", { name: security.addPasskey }).click()
    }
    const remove = async () => {
      await page.getByRole("button", { name: security.remove, exact: true }).click()
      await dialog.getByRole("button", { name: security.remove, exact: true }).click()
      await page.getByText("Laptop", { exact: true }).waitFor({ state: "detached" })
      await page.reload()
    }
    await add(true)
    await page.getByText("Laptop", { exact: true }).waitFor()
    const former = await kept()
    await add(false)
    await dialog.getByText(security.problems.passkey_there).waitFor()
    await dialog.getByRole("button", { name: words.common.cancel }).click()
    await remove()
    assert.deepStrictEqual(await kept(), former)
    await add(true)
    await page.getByText("Laptop", { exact: true }).waitFor()
    const now = await kept()
    assert.lengthOf(now, 1)
    assert.notDeepEqual(now, former)
    await remove()
    await page.getByRole("button", { name: words.nav.signOut }).first().click()
    await page.getByRole("button", { name: security.signInByPasskey }).click()
    await page.getByRole("alert").getByText(security.problems.PASSKEY_NOT_FOUND).waitFor()
    assert.deepStrictEqual(await kept(), [])
    await close()
  })

  it("is not used by somebody whom the device does not know", async () => {
    const { close, page } = await openAccount(`nguoi-la-${language}@example.com`, language)
    const { look } = await plugIn(page, false)
    await page.getByRole("button", { name: security.addPasskey }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel(security.passkeyName).fill("Laptop")
    await dialog.getByLabel(words.auth.currentPassword).fill(testPassword)
    await dialog.getByRole("button", { name: security.addPasskey }).click()
    await dialog.getByText(security.problems.passkey_unused).waitFor()
    await look()
    await close()
  })
})
