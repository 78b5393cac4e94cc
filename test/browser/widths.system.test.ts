/** Every page at every width, with the longest names and the largest amounts there can be. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { beforeAll } from "vitest"
import { vietnamese as keys } from "../../src/dashboard/web/text/keys-vi.ts"
import { bodies } from "../dashboard/bodies.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, tellTransfer, type TestPerson } from "../dashboard/TestPerson.ts"
import { settle } from "./check-page.ts"
import { accountViews } from "./every-page.ts"
import { fillTransfers, sampleCall, writeCalls } from "./sample-data.ts"
import { useDashboard } from "./use-dashboard.ts"
import { openContext } from "./sign-in-context.ts"

const email = `${"phong-ky-thuat.".repeat(4)}a@${"chi-nhanh-mien-nam.".repeat(5)}example.com`
const credit = { amount_vnd: "999999999999.123456", reason: "x".repeat(120) }

const site = useDashboard({ environment: { ANTHROPIC_API_KEY: "sample" } })
let person: TestPerson
let accountId: string
let receiptId: string
let page: Page

beforeAll(async () => {
  person = await signUpOperator(site.dashboard, email, "Nguyễn Thị Hoàng Anh ".repeat(5).trim())
  accountId = await accountOf(person)
  const path = `/dashboard/api/operator/accounts/${accountId}/credit`
  await person.post(path, { ...credit, id: crypto.randomUUID() })
  const name = "W".repeat(100)
  const key = (await person.post("/dashboard/api/keys", { name, rate_limit_per_minute: 1_000_000 })).body
  const calls = Array.from({ length: 8 }, (_, index) => ({
    ...sampleCall(accountId, key.id, index, Date.now() - index * 60_000),
    inputTokens: 900_000_000,
    outputTokens: 100_000_001,
    cost: 6_500_000_006_501n
  }))
  await writeCalls(site.dashboard.databaseUrl, calls)
  const budget = { budget_vnd: "999999999999.123456", budget_period: "month" }
  await person.post(`/dashboard/api/members/${accountId}/budget`, budget)
  await person.post("/dashboard/api/top-ups", { amount: 50_000 })
  await person.post("/dashboard/api/operator/purchase-prices", {
    ...(bodies["/operator/purchase-prices"] as object),
    model: "m".repeat(200),
    input: "999999999.999999999",
    tools: Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${"tool_".repeat(12)}${index}`, "1"])
    )
  })
  await fillTransfers(site.dashboard)
  receiptId = await receive("999999999999.99")
  const context = await openContext(site.browser, site.dashboard, person)
  page = await context.newPage()
})

/** Money that an operator assigns; answers the number of its receipt. */
const receive = async (amount: string): Promise<string> => {
  await tellTransfer(site.dashboard, { id: 601, content: "chuyen tien", transferAmount: amount })
  const { transfers } = (await person.get("/dashboard/api/operator/transfers?status=unmatched")).body
  const assigned = { account: email, reason: "a" }
  await person.post(`/dashboard/api/operator/transfers/${transfers[0].id}/assign`, assigned)
  const [entry] = await site.dashboard.sql`
    select id::text from ledger_entries where account_id = ${accountId} and source = 'top_up'`
  return entry!["id"] as string
}

const customerPages = [
  "/overview",
  "/keys",
  "/usage",
  "/topup",
  "/statement",
  "/receipt?id=RECEIPT",
  "/alerts",
  "/models",
  "/account",
  "/tokens",
  "/members",
  "/activity",
  "/docs",
  "/status"
]
const operatorPages = [
  "",
  "/search?q=phong",
  "/accounts",
  ...accountViews.map((view) => `/account?id=${view}`),
  "/transfers",
  "/models",
  "/providers",
  "/margin",
  "/purchase-prices",
  "/audit"
]
const widths = [320, 375, 640, 768, 900, 1024, 1180, 1280]

/** The page itself, or a card whose content is wider than the card. */
const findOverflow = `[document.documentElement, ...document.querySelectorAll(".card, .card > div")]
  .filter((box) => box.scrollWidth > box.clientWidth + 1)
  .map((box) => box.tagName + " " + (box.scrollWidth - box.clientWidth) + ": " + box.innerText.slice(0, 60))`

const placeOf = (path: string): string =>
  path.includes("RECEIPT") ? path.replace("RECEIPT", receiptId) : path.replace("id=", `id=${accountId}`)

describe("from a phone to a desktop", () => {
  it.each([...customerPages, ...operatorPages.map((path) => `/operator${path}`)])(
    "nothing on %s sticks out of its card or the page",
    async (path) => {
      await page.goto(`/dashboard${placeOf(path)}`)
      await settle(page)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 860 })
        await settle(page)
        assert.deepStrictEqual(await page.evaluate(findOverflow), [], `${width} px`)
      }
    }
  )

  it("a dialog breaks what it is about, such as a key's name", async () => {
    await page.setViewportSize({ width: 320, height: 860 })
    await page.goto("/dashboard/keys")
    await settle(page)
    await page.getByRole("button", { name: keys.edit, exact: true }).click()
    const sideways =
      "((dialog) => dialog.scrollWidth - dialog.clientWidth)(document.querySelector('dialog[open]'))"
    await page.getByRole("dialog").waitFor()
    assert.strictEqual(await page.evaluate(sideways), 0)
    await page.keyboard.press("Escape")
  })

  it("the kinds of errors fit a phone in English, too", async () => {
    const context = await openContext(site.browser, site.dashboard, undefined, { language: "en" })
    const narrow = await context.newPage()
    await narrow.setViewportSize({ width: 320, height: 860 })
    await narrow.goto("/dashboard/docs")
    await settle(narrow)
    assert.deepStrictEqual(await narrow.evaluate(findOverflow), [])
    await context.close()
  })

  it("a chart that has not followed the window yet widens nothing", async () => {
    await page.goto("/dashboard/overview")
    await settle(page)
    await page.locator(".uplot").waitFor()
    await page.evaluate(`document.querySelector(".uplot").style.width = "3000px"`)
    assert.deepStrictEqual(await page.evaluate(findOverflow), [])
  })
})
