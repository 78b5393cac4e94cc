/** What an operator does with a transfer that is nobody's, on its page: it is the wrong customer's, nobody's, and goes back. */
import type { Locator, Page } from "playwright-core"
import type { vietnamese } from "../../src/dashboard/web/text/operator-vi.ts"
import { tellTransfer } from "../dashboard/TestPerson.ts"

interface Day {
  readonly dialog: Locator
  readonly isWell: () => Promise<void>
  readonly page: Page
  readonly press: (button: string) => Promise<void>
}

interface Desk {
  readonly server: Parameters<typeof tellTransfer>[0]
  readonly language: string
  readonly words: Pick<typeof vietnamese, "accounts" | "transfers">
  /** Of the customer whose it seems to be. */
  readonly email: string
}

const content = "chuyen nham"

/** The page of transfers is open, with nothing to assign. */
export const settleStray = async (day: Day, { email, language, server, words }: Desk): Promise<void> => {
  const { dialog, page, press } = day
  const { filters, ...transfers } = words.transfers
  const handle = async (button: string, step: keyof typeof transfers.steps, reference?: string) => {
    await press(button)
    const choice = dialog.getByRole("group", { name: transfers.settle })
    if (step !== "reopen") await choice.getByRole("button", { name: transfers.steps[step] }).click()
    if (reference !== undefined) await dialog.getByLabel(transfers.reference).fill(reference)
    await give("Chuyển nhầm")
    await dialog.waitFor({ state: "detached" })
  }
  const give = async (reason: string) => {
    await dialog.getByLabel(words.accounts.reason).fill(reason)
    await dialog.locator("button[type=submit]").click()
  }
  const untilNoneWaits = () => page.getByText(transfers.noneUnmatched, { exact: true }).waitFor()

  await tellTransfer(server, { id: language, content, transferAmount: 79_000 })
  await page.reload()
  await press(transfers.assign)
  await dialog.getByLabel(transfers.account).fill(email)
  await give("Nhầm khách")
  await untilNoneWaits()
  await press(filters.credited)
  const row = page.getByRole("row").filter({ hasText: content }).filter({ hasText: email })
  await row.getByRole("button", { name: transfers.steps.takeBack }).click()
  await dialog.getByText(transfers.creditedTo(email)).waitFor()
  await day.isWell()
  await give("Không phải của khách")
  await page.getByText(transfers.takenBack, { exact: true }).waitFor()
  await row.waitFor({ state: "detached" })

  await press(filters.unmatched)
  await handle(transfers.assign, "dismiss")
  await untilNoneWaits()
  await press(filters.dismissed)
  await handle(transfers.settle, "reopen")
  await page.getByText(transfers.none, { exact: true }).waitFor()
  await press(filters.unmatched)
  await handle(transfers.assign, "return", `FT-${language}`)
  await untilNoneWaits()
  await press(filters.returned)
  await page.getByText(transfers.returnedBy(`FT-${language}`)).waitFor()
}
