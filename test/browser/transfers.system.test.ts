/** What operators do with transfers that are nobody's, in a real browser, in both languages. */
import { assert, describe, it } from "@effect/vitest"
import { tellTransfer } from "../dashboard/TestPerson.ts"
import { languages, signUp } from "./steps.ts"
import { useServer } from "./use-server.ts"

const site = useServer()

describe.each(languages)("an operator, in %s", (language, words, operator) => {
  it("assigns a transfer as suggested, dismisses one, reopens it, and returns it", async () => {
    const { close, page } = await site.openPage(language)
    const [email, mailName] = [`nguyen.minh.${language}@example.com`, `NGUYEN MINH ${language}`]
    await signUp(page, words, email)
    await site.server.sql`update accounts set staff_role = 'owner' where email = ${email}`
    const { filters, ...transfers } = operator.transfers
    const dialog = page.getByRole("dialog")
    const tell = async (id: string, content: string, transferAmount: number) => {
      await tellTransfer(site.server, { id: `${language}-${id}`, content, transferAmount })
      await page.goto("/dashboard/operator/transfers")
    }
    const show = (state: keyof typeof filters) =>
      page.getByRole("button", { name: filters[state], exact: true }).click()

    await tell("1", `nap ho ${mailName}`, 78_000)
    await page.getByRole("button", { name: transfers.assign, exact: true }).click()
    await dialog.getByRole("button", { name: email }).click()
    assert.strictEqual(await dialog.getByLabel(transfers.account).inputValue(), email)
    await dialog.getByRole("button", { name: transfers.assign, exact: true }).click()
    await page.getByText(transfers.assigned).waitFor()
    await page.getByText(transfers.noneUnmatched).waitFor()

    const handle = async (button: string, step: keyof typeof transfers.steps, reference?: string) => {
      await page.getByRole("button", { name: button, exact: true }).click()
      const choice = dialog.getByRole("group", { name: transfers.settle })
      if (step !== "reopen") await choice.getByRole("button", { name: transfers.steps[step] }).click()
      await dialog.getByLabel(operator.accounts.reason).fill("Chuyển nhầm")
      if (reference !== undefined) await dialog.getByLabel(transfers.reference).fill(reference)
      await dialog.locator("button[type=submit]").click()
      await dialog.waitFor({ state: "detached" })
    }
    await tell("2", "chuyen nham", 79_000)
    await handle(transfers.assign, "dismiss")
    await page.getByText(transfers.noneUnmatched).waitFor()
    await show("dismissed")
    await handle(transfers.settle, "reopen")
    await page.getByText(transfers.none, { exact: true }).waitFor()
    await show("unmatched")
    await handle(transfers.assign, "return", `FT-${language}`)
    await page.getByText(transfers.noneUnmatched).waitFor()
    await show("returned")
    await page.getByText(transfers.returnedBy(`FT-${language}`)).waitFor()
    await close()
  })
})
