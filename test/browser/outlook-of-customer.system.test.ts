/** What an operator sees of what lies ahead of a customer. */
import { it } from "@effect/vitest"
import { vietnamese as operatorWords } from "../../src/dashboard/web/text/operator-vi.ts"
import { vietnamese as words } from "../../src/dashboard/web/text/outlook-vi.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer } from "../dashboard/TestPerson.ts"
import { sampleCall, writeCalls } from "./sample-data.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()

it("how long a customer's balance lasts is told anew once it has been credited", async () => {
  const operator = await signUpOperator(site.dashboard, "cong-tien@example.com")
  const customer = await signUpPerson(site.dashboard, "khach@example.com")
  const accountId = await accountOf(customer)
  const { code } = (await customer.post("/dashboard/api/top-ups", { amount: 100_000 })).body
  await tellTransfer(site.dashboard, { id: "truoc", content: code, transferAmount: 100_000 })
  await writeCalls(site.dashboard.databaseUrl, [
    { ...sampleCall(accountId, "key_x", 1, Date.now()), cost: 20_000_000_000n }
  ])
  const { close, page } = await site.openPage(`/operator/account?id=${accountId}`, operator)
  await page.getByText(words.days("4"), { exact: true }).waitFor()
  await page.getByLabel(operatorWords.accounts.amount).fill("60000")
  await page.getByLabel(operatorWords.accounts.reason).fill("Khuyến mãi")
  await page.getByRole("button", { name: operatorWords.accounts.review }).click()
  await page.getByRole("dialog").getByRole("button", { name: operatorWords.accounts.save }).click()
  await page.getByText(words.days("7"), { exact: true }).waitFor({ timeout: 15_000 })
  await close()
})
