/** What people do with their own account, in a real browser, in both languages. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { english } from "../../src/dashboard/web/text/account-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/account-vi.ts"
import { vietnamese as teamWords } from "../../src/dashboard/web/text/team-vi.ts"
import { type MailServer, startMailServer } from "../alerts/start-mail-server.ts"
import { inviteTo, joinAccount } from "../dashboard/join-account.ts"
import { accountOf, personOf } from "../dashboard/own-account.ts"
import { signUpPerson, tellTransfer, TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { findViolations } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { languages } from "./steps.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()
let mailing: TestDashboard
let mails: MailServer
beforeAll(async () => {
  mails = await startMailServer()
  mailing = await startTestDashboard({
    databaseUrl: site.dashboard.databaseUrl,
    environment: { SMTP_URL: mails.url, SMTP_FROM: "tollgate@example.com" }
  })
})
afterAll(async () => {
  await mailing?.stop()
  mails?.stop()
})

const open = async (dashboard: TestDashboard, person: TestPerson, language: string, path = "/account") => {
  const context = await openContext(site.browser, dashboard, person, { language })
  const page = await context.newPage()
  await page.goto(`/dashboard${path}`)
  return { page, close: () => context.close() }
}

describe.each(languages)("one's own account, in %s", (language, words) => {
  const account = language === "vi" ? vietnamese : english

  it("has a name and an address that change, and ends everywhere else", async () => {
    const person = await signUpPerson(site.dashboard, `minh-${language}@example.com`)
    const other = new TestPerson(site.dashboard)
    await other.signIn(`minh-${language}@example.com`)
    const { close, page } = await open(site.dashboard, person, language)
    const dialog = page.getByRole("dialog")
    await page.getByRole("button", { name: account.rename }).click()
    await dialog.getByLabel(words.auth.name).fill("Nguyễn Văn Minh")
    await dialog.getByRole("button", { name: account.save }).click()
    await page.getByRole("definition").filter({ hasText: "Nguyễn Văn Minh" }).waitFor()

    await page.getByRole("button", { name: account.changeEmail }).click()
    await dialog.getByLabel(account.newEmail).fill(`moi-${language}@example.com`)
    await dialog.getByLabel(words.auth.currentPassword).fill(testPassword)
    await dialog.getByRole("button", { name: account.save }).click()
    await page
      .getByRole("definition")
      .filter({ hasText: `moi-${language}@example.com` })
      .waitFor()

    await page.getByRole("button", { name: account.endOthers }).click()
    await page.getByText(account.endedOthers, { exact: true }).waitFor()
    assert.isUndefined(await personOf(other))
    await close()
  })

  it("is closed with the password, once it is said what becomes of the balance", async () => {
    const person = await signUpPerson(site.dashboard, `dong-${language}@example.com`)
    const { close, page } = await open(site.dashboard, person, language)
    await page.getByRole("button", { name: account.close }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText(account.closeBalance).waitFor()
    await dialog.getByText("0 ₫").waitFor()
    await dialog.getByLabel(words.auth.currentPassword).fill(testPassword)
    await dialog.getByRole("button", { name: account.close }).click()
    await page.getByText(account.closed).waitFor()
    await page.getByRole("heading", { name: words.auth.signInTitle }).waitFor()
    await close()
  })

  it("asks for a look into the mailbox until the link there was followed", async () => {
    const email = `thu-${language}@example.com`
    const person = await signUpPerson(mailing, email)
    const { close, page } = await open(mailing, person, language)
    const note = page.getByText(account.verifyNote(email))
    await note.waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.getByRole("button", { name: account.verifyAgain }).click()
    await page.getByText(account.verifySent).waitFor()
    const text = (await mails.next(2, email)).at(-1)!.text.replaceAll("=\r\n", "")
    const token = /verify\?token=(?:3D)?([0-9a-f]{32})/.exec(text)![1]!
    await page.goto(`/dashboard/verify?token=${token}`)
    await page.getByRole("button", { name: account.verify, exact: true }).click()
    await page.getByText(account.verified).waitFor()
    await note.waitFor({ state: "detached" })
    await close()
  })
})

describe("an account that is closed", () => {
  it("is told to have what is in its own wallet, also to somebody who acts for another's", async () => {
    const owner = await signUpPerson(site.dashboard, "dong-chu@example.com")
    const { code } = (await owner.post("/dashboard/api/top-ups", { amount: 300_000 })).body
    await tellTransfer(site.dashboard, { id: code, content: code, transferAmount: 300_000 })
    const member = await joinAccount(site.dashboard, owner, "dong-vien@example.com", "admin")
    const { close, page } = await open(site.dashboard, member, "vi")
    await page.getByRole("heading", { name: vietnamese.title, level: 1 }).waitFor()
    await page.evaluate(`localStorage.setItem("tollgate_account", "${await accountOf(owner)}")`)
    await page.reload()
    await page.getByText(teamWords.youAre(teamWords.roles.admin)).first().waitFor()
    await page.getByRole("button", { name: vietnamese.close }).click()
    const left = page.getByRole("dialog").getByText(vietnamese.closeBalance)
    await left.getByText("₫").waitFor()
    assert.include(await left.innerText(), "\n0 ₫")
    await close()
  })

  it("has no invitation left to whoever has it open", async () => {
    const owner = await signUpPerson(site.dashboard, "moi-chu@example.com")
    const token = await inviteTo(owner, "moi-khach@example.com", "member")
    const guest = await signUpPerson(site.dashboard, "moi-khach@example.com")
    const { close, page } = await open(site.dashboard, guest, "vi", `/join?token=${token}`)
    const join = page.getByRole("button", { name: teamWords.join, exact: true })
    await join.waitFor()
    await owner.post("/dashboard/api/person/close", { password: testPassword })
    await join.click()
    await page.getByText(teamWords.over).waitFor()
    await close()
  })
})
