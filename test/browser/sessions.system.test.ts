/** Sessions that end or change while a page is open, and notes that must be seen. */
import { assert, describe, it } from "@effect/vitest"
import { PNG } from "pngjs"
import { english as englishTeam } from "../../src/dashboard/web/text/team-en.ts"
import { vietnamese as vietnameseTeam } from "../../src/dashboard/web/text/team-vi.ts"
import { vietnamese as keys } from "../../src/dashboard/web/text/keys-vi.ts"
import { vietnamese } from "../../src/dashboard/web/text/vi.ts"
import { joinAccount } from "../dashboard/join-account.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, testPassword } from "../dashboard/TestPerson.ts"
import { until } from "../until.ts"
import { findViolations, settle, sticksOut } from "./check-page.ts"
import { comeBack, languages } from "./steps.ts"
import { useDashboard } from "./use-dashboard.ts"
import { openContext } from "./sign-in-context.ts"

const site = useDashboard()

describe("a session that ended", () => {
  it("is told, and signing in leads back to the very page", async () => {
    const operator = await signUpOperator(site.dashboard, "van-hanh@example.com")
    await signUpPerson(site.dashboard, "khach@example.com")
    const context = await openContext(site.browser, site.dashboard, operator)
    const page = await context.newPage()
    await page.goto("/dashboard/operator/accounts")
    await page.getByRole("link", { name: "khach@example.com" }).click()
    await page.getByRole("heading", { name: "khach@example.com" }).waitFor()
    await context.clearCookies()
    await page.reload()
    await page.getByRole("heading", { name: vietnamese.auth.signInTitle }).waitFor()
    await page.getByLabel(vietnamese.auth.email).fill("van-hanh@example.com")
    await page.getByLabel(vietnamese.auth.password, { exact: true }).fill(testPassword)
    await page.getByRole("button", { name: vietnamese.auth.signIn }).click()
    await page.getByRole("heading", { name: "khach@example.com" }).waitFor()

    // Otherwise what the page still asks for would be told first, and take the link away.
    await settle(page)
    await context.clearCookies()
    await page.getByRole("link", { name: vietnamese.nav.keys }).first().click()
    await page.getByRole("status").getByText(vietnamese.errors.codes.signed_out).waitFor()
    await context.close()
  })
})

describe("an export", () => {
  it("comes as a file, and why it does not is told on the page", async () => {
    const person = await signUpPerson(site.dashboard, "xuat-tep@example.com")
    const { signed_out: ended, too_many_exports: tooMany } = vietnamese.errors.codes
    for (const path of ["/usage", "/statement"]) {
      const context = await openContext(site.browser, site.dashboard, person)
      const page = await context.newPage()
      await page.goto(`/dashboard${path}`)
      await settle(page)
      const link = page.locator("main a[download]")
      const [file] = await Promise.all([page.waitForEvent("download"), link.click()])
      assert.match(file.suggestedFilename(), /^tollgate-.*\.csv$/)
      assert.isNull(await file.failure())
      const files: Array<string> = []
      page.on("download", (other) => files.push(other.suggestedFilename()))
      const refusal = { status: 429, json: { error: { code: "too_many_exports" } } }
      await page.route("**/*.csv?*", (route) => route.fulfill(refusal), { times: 2 })
      await link.click()
      await page.getByRole("status").getByText(tooMany).waitFor()
      await context.clearCookies()
      await link.click()
      await page.getByRole("heading", { name: vietnamese.auth.signInTitle }).waitFor()
      assert.strictEqual(await page.getByRole("status").getByText(ended).count(), 1)
      assert.deepStrictEqual(files, [])
      await context.close()
    }
    assert.deepStrictEqual(site.dashboard.warnings, [])
  })

  it("comes beside another that runs, however long the database takes", async () => {
    const person = await signUpPerson(site.dashboard, "xuat-hai@example.com")
    const { close, page } = await site.openPage("/statement", person)
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const lock = site.dashboard.sql.begin(async (transaction) => {
      await transaction`lock table ledger_entries in access exclusive mode`
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const other = await fetch(`${site.dashboard.url}/dashboard/api/statement.csv`, {
      headers: { cookie: person.cookie }
    })
    assert.strictEqual(other.status, 200)
    const link = page.locator("main a[download]")
    const [file] = await Promise.all([page.waitForEvent("download"), link.click()])
    release.resolve()
    await lock
    assert.isNull(await file.failure())
    await other.text()
    await close()
  })
})

describe("two tabs", () => {
  it("of which one signed in somebody else: the other shows theirs when it is looked at", async () => {
    const first = await signUpPerson(site.dashboard, "nguoi-mot@example.com", "Người Một")
    const second = await signUpPerson(site.dashboard, "nguoi-hai@example.com", "Người Hai")
    await second.post("/dashboard/api/keys", { name: "Khóa của Hai", rate_limit_per_minute: 0 })
    const context = await openContext(site.browser, site.dashboard, first)
    const page = await context.newPage()
    await page.goto("/dashboard/keys")
    await page.getByText(keys.empty).waitFor()
    const other = await openContext(site.browser, site.dashboard, second)
    await context.addCookies(await other.cookies())
    await comeBack(page)
    await page.getByText("Người Hai").waitFor()
    await page.getByText("Khóa của Hai").waitFor()
    await other.close()
    await context.close()
  })

  it("of which one signed out: the other asks to sign in when it is looked at", async () => {
    const person = await signUpPerson(site.dashboard, "dang-xuat@example.com")
    const context = await openContext(site.browser, site.dashboard, person)
    const page = await context.newPage()
    await page.goto("/dashboard/models")
    await settle(page)
    await context.clearCookies()
    await comeBack(page)
    await page.getByRole("link", { name: vietnamese.nav.signIn }).waitFor()
    await page.getByRole("status").getByText(vietnamese.errors.codes.signed_out).waitFor()
    await context.close()
  })
})

describe.each(languages)("an account that was closed, in %s", (language, words) => {
  it("is told to a member on each of its pages, also on an open one, with the way back to their own", async () => {
    const team = language === "vi" ? vietnameseTeam : englishTeam
    const owner = await signUpPerson(site.dashboard, `chu-dong-${language}@example.com`)
    const member = await joinAccount(site.dashboard, owner, `nguoi-dong-${language}@example.com`, "admin")
    const account = await accountOf(owner)
    const context = await openContext(site.browser, site.dashboard, member, {
      language,
      viewport: { width: 390, height: 844 }
    })
    const page = await context.newPage()
    await page.addInitScript(`localStorage.tollgate_account ??= ${JSON.stringify(account)}`)
    await page.goto("/dashboard/keys")
    await page.getByText(words.keys.empty).waitFor()
    await site.dashboard.sql`update accounts set status = 'disabled', closed_at = now() where id = ${account}`
    await page.getByRole("link", { name: words.nav.usage }).click()
    const told = page.getByRole("heading", { name: team.closed, level: 1 })
    await told.waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    for (const path of ["overview", "keys", "topup", "statement", "alerts", "members", "activity"]) {
      await page.goto(`/dashboard/${path}`)
      await told.waitFor()
      await page.getByText(`chu-dong-${language}@example.com`).last().waitFor()
      assert.deepStrictEqual(await page.evaluate(sticksOut), [])
    }
    await page.goto("/dashboard/models")
    await page.getByRole("heading", { name: words.models.title, level: 1 }).waitFor()
    await page.goto("/dashboard/keys")
    await page.getByRole("button", { name: team.toOwn }).click()
    await page.getByRole("heading", { name: words.overview.title, level: 1 }).waitFor()
    await page.getByRole("link", { name: words.nav.keys, exact: true }).click()
    await page.getByText(words.keys.empty).waitFor()
    await context.close()
  })

  it("is told on the pages, too, that one's role would not open", async () => {
    const team = language === "vi" ? vietnameseTeam : englishTeam
    const owner = await signUpPerson(site.dashboard, `chu-vai-${language}@example.com`)
    const member = await joinAccount(site.dashboard, owner, `nguoi-vai-${language}@example.com`, "billing")
    const account = await accountOf(owner)
    const context = await openContext(site.browser, site.dashboard, member, { language })
    const page = await context.newPage()
    await page.addInitScript(`localStorage.tollgate_account ??= ${JSON.stringify(account)}`)
    await page.goto("/dashboard/keys")
    await page.getByRole("heading", { name: words.common.notFound }).waitFor()
    await site.dashboard.sql`update accounts set status = 'disabled' where id = ${account}`
    await page.reload()
    await page.getByRole("heading", { name: team.closed, level: 1 }).waitFor()
    await page.goto("/dashboard/operator")
    await page.getByRole("heading", { name: words.common.notFound }).waitFor()
    await page.goto("/dashboard/members")
    await page.getByRole("button", { name: team.toOwn }).click()
    await page.getByRole("heading", { name: words.overview.title, level: 1 }).waitFor()
    await context.close()
  })
})

describe("a dialog", () => {
  it("does not hide a note that something failed", async () => {
    const person = await signUpPerson(site.dashboard, "sao-chep@example.com")
    const context = await openContext(site.browser, site.dashboard, person)
    const page = await context.newPage()
    await page.addInitScript("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    await page.goto("/dashboard/keys")
    await page.locator("main header button").click()
    await page.locator("dialog input").first().fill("Khóa")
    await page.locator("dialog button[type=submit]").click()
    await page.getByTestId("secret").waitFor()
    await page.locator("dialog button[aria-label^='Sao chép']").first().click()
    const note = page.getByText(vietnamese.common.copyFailed)
    await note.waitFor()
    await settle(page)
    // The dialog's backdrop would darken and blur the note's own colour.
    const { data, height, width } = PNG.sync.read(await note.screenshot())
    const inside = 4 * (Math.floor(height / 2) * width + 6)
    assert.deepStrictEqual([...data.subarray(inside, inside + 3)], [0x19, 0x1a, 0x17])
    await context.close()
  })

  it("copies a key where the page came over plain HTTP, too", async () => {
    const person = await signUpPerson(site.dashboard, "khong-https@example.com")
    const context = await openContext(site.browser, site.dashboard, person)
    const page = await context.newPage()
    await page.addInitScript(`Object.defineProperty(window, "isSecureContext", { value: false })
      Object.defineProperty(navigator, "clipboard", { value: undefined })`)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto("/dashboard/keys")
    await page.locator("main header button").click()
    await page.locator("dialog input").first().fill("Khóa")
    await page.locator("dialog button[type=submit]").click()
    const secret = await page.getByTestId("secret").innerText()
    const copy = page.locator("dialog button[aria-label^='Sao chép']").first()
    // It says so for a moment only, which a busy machine may sleep through.
    const told = page.evaluate(`new Promise((resolve) => {
      const dialog = document.querySelector("dialog[open]")
      new MutationObserver(() => dialog.textContent.includes("${vietnamese.common.copied}") && resolve())
        .observe(dialog, { subtree: true, childList: true, characterData: true })
    })`)
    // The long key beside it does not squeeze it.
    assert.strictEqual((await copy.boundingBox())?.width, 28)
    await copy.click()
    await told
    await page.getByRole("button", { name: vietnamese.common.done }).click()
    await page.getByRole("link", { name: vietnamese.nav.models }).click()
    // A page takes the focus once it has come up, and keys that are pressed until then go with it.
    await page.locator("h1:focus").getByText(vietnamese.models.title).waitFor()
    await settle(page)
    const search = page.getByLabel(vietnamese.models.search)
    // A busy browser may let a key go by.
    await until(async () => {
      await search.fill("")
      await search.press("ControlOrMeta+v")
      return (await search.inputValue()) === secret
    })
    await page.getByText(vietnamese.models.none, { exact: true }).waitFor()
    await context.close()
  })
})
