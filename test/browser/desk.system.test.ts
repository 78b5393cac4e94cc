/** The operator's desk: what a customer asks for is found where the search leads to, and told in words. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { vietnamese as alertsWords } from "../../src/dashboard/web/text/alerts-vi.ts"
import { vietnamese as words } from "../../src/dashboard/web/text/desk-vi.ts"
import { vietnamese as failuresWords } from "../../src/dashboard/web/text/failures-vi.ts"
import { vietnamese as keysWords } from "../../src/dashboard/web/text/keys-vi.ts"
import { vietnamese as operatorWords } from "../../src/dashboard/web/text/operator-vi.ts"
import { vietnamese as payingWords } from "../../src/dashboard/web/text/paying-vi.ts"
import { joinAccount } from "../dashboard/join-account.ts"
import { vietnamese as usageWords } from "../../src/dashboard/web/text/usage-vi.ts"
import { sampleCall, writeCalls } from "./sample-data.ts"
import { enrol } from "../accounts/totp.ts"
import { accountOf, personOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer } from "../dashboard/TestPerson.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()
const api = "/dashboard/api"

const openSearch = async (q: string, email: string) => {
  const operator = await signUpOperator(site.dashboard, email)
  return site.openPage(`/operator/search?${new URLSearchParams({ q })}`, operator)
}
const follow = (page: Page, name: string | RegExp) =>
  page.getByRole("main").getByRole("link", { name }).first().click()

describe("the search of the operator's desk", () => {
  it("leads to a transfer that was put aside, and from there to the others", async () => {
    const { dashboard } = site
    for (const [id, content] of [
      [801, "chuyen nham roi"],
      [802, "cua ai day"]
    ] as const)
      await tellTransfer(dashboard, { id, content, transferAmount: 310_000 })
    await dashboard.sql`update bank_transfers set status = 'dismissed' where provider_transfer_id = '801'`
    const { close, page } = await openSearch("chuyen nham", "tim@example.com")
    await follow(page, "chuyen nham roi")
    const rows = page.locator("tbody tr")
    const { filters } = operatorWords.transfers
    await rows.getByText(filters.dismissed, { exact: true }).waitFor()
    assert.strictEqual(await rows.count(), 1)
    await page.reload()
    await rows.getByText("chuyen nham roi").waitFor()
    await page.getByRole("button", { name: filters.unmatched }).click()
    await rows.getByText("cua ai day").waitFor()
    assert.strictEqual(await rows.count(), 1)
    await close()
  })

  it("says of an order that its money has not come, and leads to the day of one that was paid", async () => {
    const { dashboard } = site
    const customer = await signUpPerson(dashboard, "cho-tien@example.com")
    const open = (await customer.post(`${api}/top-ups`, { amount: 300_000 })).body
    const paid = (await customer.post(`${api}/top-ups`, { amount: 60_000 })).body
    await tellTransfer(dashboard, { id: 803, content: paid.code, transferAmount: 60_000 })
    await dashboard.sql`alter table ledger_entries disable trigger ledger_entries_append_only`
    await dashboard.sql`
      update ledger_entries set at = now() - interval '70 days' where source_id = 'sepay:803'`
    await dashboard.sql`alter table ledger_entries enable trigger ledger_entries_append_only`
    await dashboard.sql`
      update top_up_orders set created_at = now() - interval '70 days' where code = ${paid.code}`
    const { close, page } = await openSearch(open.code, "don@example.com")
    const hit = page.getByRole("listitem").filter({ hasText: open.code })
    assert.include(await hit.innerText(), payingWords.status.pending)
    await page.getByLabel(words.search.label).last().fill(paid.code)
    await follow(page, paid.code)
    await page.locator("tbody tr").getByText(paid.code).waitFor()
    await close()
  })
})

describe("a customer's page", () => {
  it("shows by what else a key's calls are refused, and who made it", async () => {
    const { dashboard } = site
    const email = "key-bi-chan@example.com"
    const customer = await signUpPerson(dashboard, email)
    const settings = {
      budget_vnd: "20000",
      budget_period: "day",
      rate_limit_per_minute: 5,
      models: ["gpt-*"],
      allowed_ips: ["203.0.113.0/24"]
    }
    await customer.post(`${api}/keys`, { name: "Máy chủ", ...settings })
    const operator = await signUpOperator(dashboard, "xem-key@example.com", "Trực", "support")
    const { close, page } = await site.openPage(
      `/operator/account?id=${await accountOf(customer)}&view=keys`,
      operator
    )
    const row = await page.locator("tbody tr").first().innerText()
    for (const shown of [
      keysWords.madeBy(email),
      `${keysWords.limit}: 5`,
      `${keysWords.models}: gpt-*`,
      `${keysWords.addresses}: 203.0.113.0/24`,
      keysWords.ofBudget("0 ₫", "20.000 ₫")
    ])
      assert.include(row.replaceAll(/\s/g, " "), shown.replaceAll(/\s/g, " "))
    await close()
  })

  it("names the accounts of others that the customer acts for", async () => {
    const { dashboard } = site
    const boss = await signUpPerson(dashboard, "chu-cong-ty@example.com")
    const member = await joinAccount(dashboard, boss, "nhan-vien@example.com", "member")
    const operator = await signUpOperator(dashboard, "tim-chu@example.com", "Trực", "support")
    const { close, page } = await site.openPage(`/operator/account?id=${await accountOf(member)}`, operator)
    await page.getByText(words.customer.memberOf).waitFor()
    await follow(page, "chu-cong-ty@example.com")
    await page.getByRole("heading", { name: "chu-cong-ty@example.com", level: 1 }).waitFor()
    assert.strictEqual(await page.getByText(words.customer.memberOf).count(), 0)
    await close()
  })

  it("shows which mail did not reach a customer and why, and which link they have not followed", async () => {
    const { dashboard } = site
    const customer = await signUpPerson(dashboard, "khong-nhan@example.com")
    const accountId = await accountOf(customer)
    const operator = await signUpOperator(dashboard, "tim-thu@example.com", "Trực", "support")
    await operator.post(`${api}/operator/accounts/${accountId}/reset-link`)
    await dashboard.sql`insert into alerts (id, account_id, kind, detail) values ('msg_m', ${accountId}, 'balance.low', '{}')`
    await dashboard.sql`
      insert into alert_deliveries (alert_id, account_id, channel, address, status, attempts, outcome, ended_at)
      values ('msg_m', ${accountId}, 'mail', 'khong-nhan@example.com', 'given_up', 3, 'no mail server', now())`
    const { close, page } = await site.openPage(`/operator/account?id=${accountId}`, operator)
    await follow(page, words.customer.viewNames.mail)
    const line = page.getByRole("listitem").filter({ hasText: alertsWords.kinds["balance.low"] })
    await line.getByText(alertsWords.status.given_up).waitFor()
    assert.include(await line.innerText(), alertsWords.outcomes["no mail server"])
    assert.strictEqual(await line.getByRole("button").count(), 0)
    await page.getByText(words.mail.links.password).waitFor()
    await close()
  })

  it("lets in by the password alone a customer who has lost app, codes and passkeys", async () => {
    const { dashboard } = site
    const email = "mat-dien-thoai@example.com"
    const customer = await signUpPerson(dashboard, email)
    await enrol(customer)
    const operator = await signUpOperator(dashboard, "dat-lai@example.com")
    const { close, page } = await site.openPage(`/operator/account?id=${await accountOf(customer)}`, operator)
    const name = operatorWords.accounts.resetFactors
    await page.getByRole("button", { name }).click()
    await page.getByRole("dialog").getByRole("button", { name }).click()
    await page.getByText(operatorWords.accounts.changed).waitFor()
    await close()
    assert.strictEqual((await customer.get(`${api}/overview`)).status, 401)
    assert.strictEqual((await customer.signIn(email)).body.twoFactorRedirect, undefined)
    assert.deepInclude(await personOf(customer), { has_totp: false, awaits_confirmation: false })
  })

  it("erases a customer who asks for it, once they are disabled", async () => {
    const { dashboard } = site
    const customer = await signUpPerson(dashboard, "quen-toi@example.com")
    const accountId = await accountOf(customer)
    const operator = await signUpOperator(dashboard, "xoa-du-lieu@example.com")
    const { accounts } = operatorWords
    const { close, page } = await site.openPage(`/operator/account?id=${accountId}`, operator)
    const confirm = async (name: string) => {
      await page.getByRole("button", { name }).click()
      await page.getByRole("dialog").getByRole("button", { name }).click()
    }
    await confirm(accounts.disable)
    await confirm(accounts.erase)
    await page.getByRole("heading", { name: "erased.invalid", level: 1 }).waitFor()
    await page.getByText(accounts.erased, { exact: true }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: accounts.erase }).count(), 0)
    assert.strictEqual(await page.getByText("quen-toi@example.com").count(), 0)
    await close()
  })

  it("says in a sentence why a call was refused or broke off", async () => {
    const { dashboard } = site
    const customer = await signUpPerson(dashboard, "bi-tu-choi@example.com")
    const accountId = await accountOf(customer)
    const { id } = (await customer.post(`${api}/keys`, { name: "Laptop", rate_limit_per_minute: 0 })).body
    const failedOf = (status: number, errorType: string) => {
      const call = sampleCall(accountId, id, 1, Date.now() - 60_000)
      return { ...call, status, errorType, outputTokens: 0, cost: 0n }
    }
    const refused = failedOf(402, "insufficient_balance")
    const left = failedOf(499, "client_closed_request")
    const unknown = failedOf(402, "of_a_later_version")
    await writeCalls(dashboard.databaseUrl, [refused, left, unknown])
    const operator = await signUpOperator(dashboard, "tim-loi@example.com", "Trực", "support")
    const told = async ({ callId }: typeof refused) => {
      const path = `/operator/account?id=${accountId}&view=usage&call=${callId}`
      const { close, page } = await site.openPage(path, operator)
      const row = page.getByRole("dialog").locator("dl > div").filter({ hasText: usageWords.errorType })
      const text = (await row.locator("dd").innerText()).split("\n")
      await close()
      return text
    }
    const [, , sentence] = failuresWords.failures.find(([status]) => status === 402)!
    assert.deepStrictEqual(await told(refused), ["insufficient_balance", sentence])
    assert.deepStrictEqual(await told(left), ["client_closed_request", failuresWords.left])
    assert.deepStrictEqual(await told(unknown), ["of_a_later_version"])
  })

  it("says where it shows only the latest of the log, and leads to all of it", async () => {
    const { dashboard } = site
    const operator = await signUpOperator(dashboard, "nhat-ky@example.com")
    const { id } = (await operator.post(`${api}/keys`, { name: "Laptop", rate_limit_per_minute: 0 })).body
    const accountId = await accountOf(operator)
    await dashboard.sql`
      insert into audit_log (actor, action, subject) select ${accountId}, 'key.show', ${id} from generate_series(1, 24)`
    const { close, page } = await site.openPage(`/operator/account?id=${accountId}`, operator)
    await page.getByText(operatorWords.accounts.latestHistory("20")).waitFor()
    await follow(page, operatorWords.accounts.allHistory)
    await page.locator("tbody tr").nth(24).waitFor()
    await close()
  })
})
