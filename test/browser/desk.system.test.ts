/** The operator's desk: what a customer asks for is found where the search leads to, and told in words. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { vietnamese as keysWords } from "../../src/dashboard/web/text/keys-vi.ts"
import { vietnamese as operatorWords } from "../../src/dashboard/web/text/operator-vi.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson } from "../dashboard/TestPerson.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()
const api = "/dashboard/api"

const follow = (page: Page, name: string | RegExp) =>
  page.getByRole("main").getByRole("link", { name }).first().click()

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
