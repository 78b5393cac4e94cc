/** What can not be done is told in words of the page, and before anything else is promised. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { english as englishAlerts } from "../../src/dashboard/web/text/alerts-en.ts"
import { vietnamese as vietnameseAlerts } from "../../src/dashboard/web/text/alerts-vi.ts"
import { vietnamese as margin } from "../../src/dashboard/web/text/margin-vi.ts"
import { vietnamese as operator } from "../../src/dashboard/web/text/operator-vi.ts"
import { english as englishTeam } from "../../src/dashboard/web/text/team-en.ts"
import { vietnamese as team } from "../../src/dashboard/web/text/team-vi.ts"
import { vietnamese } from "../../src/dashboard/web/text/vi.ts"
import { joinAccount } from "../dashboard/join-account.ts"
import { accountOf } from "../dashboard/own-account.ts"
import {
  signUpOperator,
  signUpPerson,
  tellTransfer,
  type TestPerson,
  testPassword
} from "../dashboard/TestPerson.ts"
import { findViolations, settle } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()

describe("the log of deliveries", () => {
  it("says in the page's language why one failed, and leaves numbers as they are", async () => {
    const person = await signUpPerson(site.dashboard, "nhat-ky@example.com")
    const accountId = await accountOf(person)
    await site.dashboard.sql`
      with told as (insert into alerts (id, account_id, kind, detail) values ('msg_told', ${accountId}, 'test', '{}') returning id)
      insert into alert_deliveries (alert_id, account_id, channel, address, status, attempts, outcome)
      select told.id, ${accountId}, 'webhook', 'https://noi-khac.example', 'given_up', 1, outcome
      from told, unnest(array['connection refused', '500']) as outcome`
    for (const [language, words] of [
      ["vi", vietnameseAlerts],
      ["en", englishAlerts]
    ] as const) {
      const context = await openContext(site.browser, site.dashboard, person, { language })
      const page = await context.newPage()
      await page.goto("/dashboard/alerts")
      await page.getByText(`${words.attempts(1)} · ${words.outcomes["connection refused"]}`).waitFor()
      await page.getByText(`${words.attempts(1)} · 500`).waitFor()
      await context.close()
    }
  })
})

describe("new prices from a day that is past", () => {
  it("are refused at that day, and what was typed is there again after a look at them", async () => {
    const { bulk } = margin
    const staff = await signUpOperator(site.dashboard, "gia@example.com")
    const { close, page } = await site.openPage("/operator/models", staff)
    await page.getByRole("button", { name: bulk.open }).click()
    const dialog = page.getByRole("dialog")
    const from = dialog.getByLabel(bulk.from)
    const tomorrow = await from.inputValue()
    await dialog.getByLabel(bulk.percent).fill("7,5")
    await from.fill("2026-01-31")
    await dialog.getByRole("button", { name: bulk.review }).click()
    await dialog.getByText(bulk.fromBad).waitFor()
    await from.fill(tomorrow)
    await dialog.getByRole("button", { name: bulk.review }).click()
    await dialog.getByRole("button", { name: bulk.back }).click()
    assert.strictEqual(await dialog.getByLabel(bulk.percent).inputValue(), "7,5")
    assert.strictEqual(await from.inputValue(), tomorrow)
    await close()
  })
})

describe("a question before something ends", () => {
  it("has what it is refused with above it, not on it", async () => {
    const owner = await signUpPerson(site.dashboard, "chu-mat@example.com")
    const member = await joinAccount(site.dashboard, owner, "nguoi-mat@example.com", "member")
    const { close, page } = await site.openPage("/account", member)
    await page.getByRole("button", { name: team.leave, exact: true }).click()
    await page.route("**/leave", (route) => route.abort())
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: team.leave, exact: true }).click()
    const refusal = (await dialog.getByRole("alert").boundingBox())!
    const question = (await dialog.getByText(team.leaveHint).boundingBox())!
    assert.isAtLeast(question.y - refusal.y - refusal.height, 8)
    await close()
  })
})

describe("a list that is not there while it is empty", () => {
  it.each([
    ["accounts elsewhere", "/account", "**/person/sign-ins"],
    ["open invoices", "/operator/transfers", "**/operator/invoices"]
  ])("says of %s that they can not be told, and tries again", async (name, path, asked) => {
    const staff = await signUpOperator(site.dashboard, `danh-sach-${name.length}@example.com`)
    const { close, page } = await site.openPage(path, staff, (page) =>
      page.route(asked, (route) => route.abort())
    )
    await page.getByRole("alert").getByText(vietnamese.errors.network).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await page.unroute(asked)
    await page.getByRole("alert").getByRole("button").press("Enter")
    await page.getByRole("alert").waitFor({ state: "detached" })
    await page.locator("h1:focus").waitFor()
    await close()
  })
})

it("what could not be loaded without a network is loaded by itself once there is one", async () => {
  const person = await signUpPerson(site.dashboard, "mat-mang@example.com")
  const { close, page } = await site.openPage("/overview", person)
  await page.context().setOffline(true)
  await page.getByRole("navigation").getByRole("link", { name: vietnamese.nav.keys }).first().click()
  await page.getByRole("alert").getByText(vietnamese.errors.network).waitFor()
  await page.context().setOffline(false)
  await page.getByRole("alert").waitFor({ state: "detached" })
  await settle(page)
  await close()
})

it("what is asked while a network that has come is not all there is asked again", async () => {
  const person = await signUpPerson(site.dashboard, "mang-cham@example.com")
  const { close, page } = await site.openPage("/overview", person)
  let refused = 0
  await page.route("**/api/overview", (route) => (refused++ < 2 ? route.abort() : route.fallback()))
  await page.reload()
  await page.getByRole("alert").getByText(vietnamese.errors.network).waitFor()
  await page.evaluate("dispatchEvent(new Event('online'))")
  await page.getByRole("alert").waitFor({ state: "detached" })
  assert.strictEqual(refused, 3)
  await close()
})

describe("an invoice that failed", () => {
  it("is tried again once, however often the button is pressed, which leaves the focus on the page", async () => {
    const { invoices: words } = operator
    const staff = await signUpOperator(site.dashboard, "hoa-don@example.com")
    let tries = 0
    const { close, page } = await site.openPage("/operator/transfers", staff, async (page) => {
      await page.route("**/operator/invoices", (route) => {
        const invoice = { id: "1", account: "acc_1", receipt: "1", company: "Lan", amount_vnd: "50000" }
        const status = tries === 0 ? "failed" : "waiting"
        const invoices = [{ ...invoice, status, problem: "", created_at: Date.now() }]
        return route.fulfill({ json: { open: 101, invoices } })
      })
      await page.route("**/operator/invoices/1/retry", (route) =>
        ++tries === 1 ? route.fulfill({ json: {} }) : route.abort()
      )
    })
    await page.getByRole("button", { name: words.retry }).dblclick()
    await page.getByText(words.waiting, { exact: true }).waitFor()
    await page.getByText(words.shown("1", "101")).waitFor()
    await settle(page)
    assert.strictEqual(tries, 1)
    await page.locator("h1:focus").waitFor()
    await close()
  })
})

describe("the way back from a second step", () => {
  it("says why the session did not end", async () => {
    const person = await signUpPerson(site.dashboard, "buoc-hai@example.com")
    const { close, page } = await site.openPage("/account", person, async (page) => {
      await page.route("**/api/session", async (route) => {
        const response = await route.fetch()
        const state = await response.json()
        await route.fulfill({
          response,
          json: { ...state, person: { ...state.person, awaits_confirmation: true } }
        })
      })
      await page.route("**/sign-out", (route) => route.abort())
    })
    await page.getByRole("button", { name: vietnamese.auth.back }).click()
    await page.getByRole("status").getByText(vietnamese.errors.network).waitFor()
    await close()
  })
})

describe.each([
  ["vi", team],
  ["en", englishTeam]
] as const)("a membership that has ended meanwhile, in %s", (language, words) => {
  const begin = async (name: string) => {
    const owner = await signUpPerson(site.dashboard, `chu-${name}-${language}@example.com`)
    const member = await joinAccount(site.dashboard, owner, `nguoi-${name}-${language}@example.com`, "member")
    const memberId = await accountOf(member)
    const end = () => owner.post(`/dashboard/api/members/${memberId}/remove`, { revoke_keys: false })
    const openAs = async (person: TestPerson, path: string) => {
      const context = await openContext(site.browser, site.dashboard, person, { language })
      const page = await context.newPage()
      await page.goto(`/dashboard${path}`)
      await settle(page)
      return page
    }
    return { end, member, openAs, owner }
  }
  const dialogOf = (page: Page) => page.getByRole("dialog")

  it("is not left, but said to be over, and listed no more", async () => {
    const { end, member, openAs } = await begin("roi")
    const page = await openAs(member, "/account")
    const leave = page.getByRole("main").getByRole("button", { name: words.leave, exact: true })
    await leave.click()
    await end()
    await dialogOf(page).getByRole("button", { name: words.leave, exact: true }).press("Enter")
    await page.getByRole("status").getByText(words.endedForYou).waitFor()
    await leave.waitFor({ state: "detached" })
    await page.locator("h1:focus").waitFor()
    await page.context().close()
  })

  it.each([
    ["remove", words.remove, words.remove],
    ["change", words.change, words.save],
    ["setBudget", words.setBudget, words.save]
  ])("is not there to %s, and listed no more", async (name, opens, sends) => {
    const { end, openAs, owner } = await begin(name.toLowerCase())
    const page = await openAs(owner, "/members")
    const row = page.getByRole("row", { name: `nguoi-${name.toLowerCase()}-${language}@example.com` })
    await row.getByRole("button", { name: opens, exact: true }).click()
    await end()
    if (name === "change") await dialogOf(page).getByRole("radio").first().check()
    if (name === "setBudget") await dialogOf(page).getByRole("textbox").first().fill("5000")
    await dialogOf(page).getByRole("button", { name: sends, exact: true }).press("Enter")
    await page.getByRole("status").getByText(words.ended).waitFor()
    await dialogOf(page).waitFor({ state: "detached" })
    await row.waitFor({ state: "detached" })
    await page.locator("h1:focus").waitFor()
    await page.context().close()
  })
})

describe("a transfer", () => {
  it("for an account that there is not is told so at its field", async () => {
    const staff = await signUpOperator(site.dashboard, "gan@example.com")
    await tellTransfer(site.dashboard, { id: 901, content: "khong ma", transferAmount: 200_000 })
    const { transfers: words } = operator
    const { close, page } = await site.openPage("/operator/transfers", staff)
    await page.getByRole("button", { name: words.assign, exact: true }).click()
    const dialog = page.getByRole("dialog")
    const account = dialog.getByLabel(words.account)
    await account.fill("khong-co@example.com")
    await dialog.getByLabel(operator.accounts.reason).fill("Khách gọi")
    await dialog.getByRole("button", { name: words.assign, exact: true }).click()
    await dialog.getByText(operator.problems.no_account).waitFor()
    await dialog.locator("input[aria-invalid=true]:focus").waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    assert.strictEqual(await dialog.getByRole("alert").count(), 0)
    await account.fill("gan@example.com")
    await dialog.getByText(operator.problems.no_account).waitFor({ state: "detached" })
    await dialog.getByRole("button", { name: words.assign, exact: true }).click()
    await page.getByText(words.assigned).waitFor()
    await close()
  })
})

describe("a credit for an account that its owner has closed", () => {
  it("is refused before a balance is shown, while money may be taken back", async () => {
    const staff = await signUpOperator(site.dashboard, "truc@example.com")
    const customer = await signUpPerson(site.dashboard, "dong@example.com")
    const accountId = await accountOf(customer)
    const credit = { amount_vnd: "5000", reason: "a", id: crypto.randomUUID() }
    await staff.post(`/dashboard/api/operator/accounts/${accountId}/credit`, credit)
    await customer.post("/dashboard/api/person/close", { password: testPassword })
    const { close, page } = await site.openPage(`/operator/account?id=${accountId}`, staff)
    const review = async (amount: string) => {
      await page.getByLabel(operator.accounts.amount).fill(amount)
      await page.getByLabel(operator.accounts.reason).fill("Hoàn")
      await page.getByRole("button", { name: operator.accounts.review }).click()
    }
    await review("1000")
    await page.getByText(operator.problems.account_closed).waitFor()
    await settle(page)
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
    await review("-1000")
    await page.getByRole("dialog").getByTestId("change").waitFor()
    await close()
  })
})
