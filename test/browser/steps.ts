/** Steps that the flows of people are made of. */
import type { Page } from "playwright-core"
import { english as englishAudit } from "../../src/dashboard/web/text/audit-en.ts"
import { vietnamese as vietnameseAudit } from "../../src/dashboard/web/text/audit-vi.ts"
import { english } from "../../src/dashboard/web/text/en.ts"
import { english as englishKeys } from "../../src/dashboard/web/text/keys-en.ts"
import { vietnamese as vietnameseKeys } from "../../src/dashboard/web/text/keys-vi.ts"
import { english as englishPassword } from "../../src/dashboard/web/text/new-password-en.ts"
import { vietnamese as vietnamesePassword } from "../../src/dashboard/web/text/new-password-vi.ts"
import { english as englishOperator } from "../../src/dashboard/web/text/operator-en.ts"
import { vietnamese as vietnameseOperator } from "../../src/dashboard/web/text/operator-vi.ts"
import { english as englishPaying } from "../../src/dashboard/web/text/paying-en.ts"
import { vietnamese as vietnamesePaying } from "../../src/dashboard/web/text/paying-vi.ts"
import { english as englishUsage } from "../../src/dashboard/web/text/usage-en.ts"
import { vietnamese as vietnameseUsage } from "../../src/dashboard/web/text/usage-vi.ts"
import { vietnamese } from "../../src/dashboard/web/text/vi.ts"
import { formatVnd } from "../../src/domain/money.ts"
import { tellTransfer, testPassword } from "../dashboard/TestPerson.ts"
import type { TestServer } from "./start-server.ts"

export const languages = [
  [
    "vi",
    {
      ...vietnamese,
      keys: vietnameseKeys,
      topup: vietnamesePaying,
      usage: vietnameseUsage,
      newPassword: vietnamesePassword
    },
    { ...vietnameseOperator, audit: vietnameseAudit }
  ],
  [
    "en",
    {
      ...english,
      keys: englishKeys,
      topup: englishPaying,
      usage: englishUsage,
      newPassword: englishPassword
    },
    { ...englishOperator, audit: englishAudit }
  ]
] as const

type Words = (typeof languages)[number][1]

/** A call as a customer's program makes it. */
export const call = async (server: TestServer, key: string, content = "Xin chào") => {
  const response = await fetch(`${server.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({
      model: "claude-sonnet-5",
      max_tokens: 64,
      messages: [{ role: "user", content }]
    })
  })
  return {
    status: response.status,
    requestId: response.headers.get("request-id") ?? "",
    body: (await response.json()) as {
      readonly usage?: { readonly input_tokens: number; readonly output_tokens: number }
      readonly error?: { readonly type: string; readonly message: string }
    }
  }
}

/** What the call costs by the model's price. */
export const costOf = ({ body }: Awaited<ReturnType<typeof call>>, pricePerMtok = 6_500) =>
  formatVnd(BigInt(body.usage!.input_tokens + body.usage!.output_tokens) * BigInt(pricePerMtok))

export const signUp = async (page: Page, words: typeof vietnamese, email: string) => {
  await page.getByRole("link", { name: words.auth.signUp }).click()
  await page.getByLabel(words.auth.name).fill("Trần Minh")
  await page.getByLabel(words.auth.email).fill(email)
  await page.getByLabel(words.auth.password, { exact: true }).fill(testPassword)
  await page.getByRole("button", { name: words.auth.signUp }).click()
  await page.getByRole("heading", { name: words.overview.title, level: 1 }).waitFor()
}

export const createKey = async (page: Page, words: Words, name: string) => {
  await page.getByRole("link", { name: words.nav.keys, exact: true }).first().click()
  await page.getByRole("button", { name: words.keys.create }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel(words.keys.name).fill(name)
  await dialog.getByRole("button", { name: words.keys.create }).click()
  const key = await dialog.getByTestId("secret").innerText()
  await dialog.getByRole("button", { name: words.common.done }).click()
  return key
}

/** As somebody who has been at another tab. */
export const comeBack = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

/** Orders, and has the bank tell of the transfer. */
export const topUp = async (page: Page, words: Words, server: TestServer) => {
  await page.getByRole("button", { name: words.topup.create }).click()
  await page
    .getByRole("img")
    .filter({ has: page.locator("path") })
    .first()
    .waitFor()
  await page.getByText(words.topup.waiting).waitFor()
  const [order] = await server.sql<[{ code: string }]>`
    select code from top_up_orders where status = 'pending' order by created_at desc limit 1`
  await tellTransfer(server, { id: order.code, content: order.code, transferAmount: 100_000 })
  await page.getByText(words.topup.paid).waitFor()
}
