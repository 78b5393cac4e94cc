/** The page of the statement: its sums are of the lines below them. */
import { assert, describe, it } from "@effect/vitest"
import { vietnamese as operatorWords } from "../../src/dashboard/web/text/operator-vi.ts"
import { vietnamese as words } from "../../src/dashboard/web/text/statement-vi.ts"
import { vietnamese } from "../../src/dashboard/web/text/vi.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson } from "../dashboard/TestPerson.ts"
import { sampleCall, writeCalls } from "./sample-data.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()

describe("the statement", () => {
  it("ends with the balance of its last line, also where a call comes between two of its pages", async () => {
    const person = await signUpPerson(site.dashboard, "so-giao-dich@example.com")
    const accountId = await accountOf(person)
    await site.dashboard.sql`
      insert into ledger_entries (account_id, source, source_id, amount_micro_vnd, reason)
      select ${accountId}, 'credit', 'credit-' || number, 1000000, 'test' from generate_series(1, 205) number`
    const { close, page } = await site.openPage("/statement", person)
    const rows = page.locator("tbody tr")
    await rows.nth(199).waitFor()
    const call = { ...sampleCall(accountId, "key_x", 0, Date.now()), cost: 5_000_000n }
    await writeCalls(site.dashboard.databaseUrl, [call])
    await page.getByRole("button", { name: vietnamese.common.more, exact: true }).click()
    await rows.nth(205).waitFor()
    const closing = page.locator(".card").filter({ has: page.getByText(words.closing, { exact: true }) })
    const shown = [rows.last().locator("td").last(), closing.locator(".figure")]
    assert.deepStrictEqual(
      (await Promise.all(shown.map((each) => each.innerText()))).map((each) => each.replaceAll(/\s/g, "")),
      ["200₫", "200₫"]
    )
    await close()
  })
  it("is printed over the whole width of the paper, also of a sheet on its side", async () => {
    const person = await signUpPerson(site.dashboard, "in-ngang@example.com")
    const { close, page } = await site.openPage("/statement", person)
    await page.locator("main .figure").first().waitFor()
    await page.emulateMedia({ media: "print" })
    for (const width of [720, 1046]) {
      await page.setViewportSize({ width, height: 720 })
      const main = await page.locator("main").boundingBox()
      assert.isAbove(main?.width ?? 0, width - 40)
    }
    await close()
  })
  it("calls what came in as the operator's page does, which says where there is more than it shows", async () => {
    const operator = await signUpOperator(site.dashboard, "doi-chieu@example.com")
    const accountId = await accountOf(operator)
    await site.dashboard.sql`
      insert into ledger_entries (account_id, source, source_id, amount_micro_vnd, reason)
      select ${accountId}, 'credit', 'mixed-' || number, case when number = 51 then -1000000 else 1000000 end, 'test'
      from generate_series(1, 51) number`
    const { close, page } = await site.openPage(`/operator/account?id=${accountId}`, operator)
    const credits = page.locator(".card").filter({ has: page.getByText(operatorWords.accounts.credits) })
    assert.deepStrictEqual((await credits.locator("li").allInnerTexts()).slice(0, 2).map(firstLine), [
      `${words.kinds.correction} · test`,
      `${words.kinds.credit} · test`
    ])
    await credits.getByText(operatorWords.accounts.latestCredits("50")).waitFor()
    await credits.getByRole("link", { name: operatorWords.accounts.allCredits }).click()
    await page.locator("tbody tr").nth(50).waitFor()
    assert.include(await page.locator("tbody tr").first().innerText(), words.kinds.credit)
    await close()
  })
})

const firstLine = (text: string) => text.split("\n")[0]
