/** Signing in with Google and GitHub, in a real browser, and not where they are not set up. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { setPassword } from "../../src/accounts/set-password.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { english as englishAccount } from "../../src/dashboard/web/text/account-en.ts"
import { vietnamese as vietnameseAccount } from "../../src/dashboard/web/text/account-vi.ts"
import { english } from "../../src/dashboard/web/text/security-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/security-vi.ts"
import { type OwnerThere, startOAuthProvider } from "../accounts/start-oauth-provider.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { testPassword } from "../dashboard/TestPerson.ts"
import { onDatabase } from "../storage/on-database.ts"
import { findViolations, settle } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { languages } from "./steps.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()
let provider: Awaited<ReturnType<typeof startOAuthProvider>>
let withOthers: TestDashboard
let there: OwnerThere | undefined
beforeAll(async () => {
  provider = await startOAuthProvider(() => there)
  withOthers = await startTestDashboard({
    databaseUrl: site.dashboard.databaseUrl,
    change: (settings) => ({ ...settings, oauth: provider.oauth })
  })
})
afterAll(async () => {
  await withOthers?.stop()
  provider?.stop()
})

describe.each(languages)("signing in elsewhere, in %s", (language, words) => {
  const security = language === "vi" ? vietnamese : english
  const account = language === "vi" ? vietnameseAccount : englishAccount
  const open = async (dashboard: TestDashboard, path: string) => {
    const context = await openContext(site.browser, dashboard, undefined, { language })
    const page = await context.newPage()
    await page.goto(`/dashboard${path}`)
    await settle(page)
    return { page, context, close: () => context.close() }
  }

  it("leads to the page that was wanted, and tells of a refusal", async () => {
    const { close, context, page } = await open(withOthers, "/keys")
    there = undefined
    await page.getByRole("button", { name: security.signInWith("GitHub") }).click()
    await page.getByText(security.problems.access_denied).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.goto("/dashboard/keys")
    there = {
      id: language === "vi" ? 1 : 2,
      name: "An",
      email: `an-${language}@example.com`,
      isVerified: true
    }
    await page.getByRole("button", { name: security.signInWith("Google") }).click()
    await page.getByRole("heading", { name: words.keys.title, level: 1 }).waitFor()
    await context.clearCookies({ name: /session/ })
    const invited = `/join?token=${"a".repeat(40)}`
    await page.goto(`/dashboard${invited}`)
    await page.getByRole("button", { name: security.signInWith("Google") }).click()
    await page.waitForURL(`**${invited}`)
    const kept = await site.dashboard.sql`select value from verifications where value like '%aaaa%'`
    assert.lengthOf(kept, 0, "an invitation stands nowhere")
    await close()
  })

  it("is shown on one's account, and removed with the password by whoever has one", async () => {
    const { close, page } = await open(withOthers, "/account")
    const email = `binh-${language}@example.com`
    there = { id: language === "vi" ? 3 : 4, name: "Bình", email, isVerified: true }
    const signIn = () => page.getByRole("button", { name: security.signInWith("Google") }).click()
    await signIn()
    await page.getByText(security.elsewhereHint).waitFor()
    const remove = page.getByRole("button", { name: `${security.remove} Google` })
    assert.strictEqual(await remove.count(), 0)
    await page.getByRole("button", { name: account.changeEmail }).click()
    await page.getByRole("dialog").getByText(security.noPassword).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: account.setPasswordSend }).click()
    await page.getByText(account.setPasswordAsked).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    const [person] = await site.dashboard.sql<Array<{ id: AccountId }>>`
      select id from people where email = ${email}`
    await onDatabase(
      site.dashboard.databaseUrl,
      setPassword({ accountId: person!.id, email }, testPassword, "cli")
    )
    await page.goto("/dashboard/account")
    await signIn()
    await remove.click()
    assert.deepStrictEqual(await findViolations(page), [])
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel(words.auth.password).fill(testPassword)
    await dialog.getByRole("button", { name: security.remove, exact: true }).click()
    await page.getByText(security.elsewhereRemoved("Google")).waitFor()
    await page.getByText(security.elsewhereHint).waitFor({ state: "detached" })
    await close()
  })

  it("is not there where nothing is set up for it", async () => {
    for (const path of ["/signin", "/signup"]) {
      const { close, page } = await open(site.dashboard, path)
      await page
        .getByRole("button", { name: path === "/signin" ? words.auth.signIn : words.auth.signUp })
        .waitFor()
      assert.strictEqual(await page.getByText(/Google|GitHub/).count(), 0)
      await close()
    }
  })
})
