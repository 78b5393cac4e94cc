/** An operator enters what a model is bought at, and sees what is left. */
import { assert, describe, it } from "@effect/vitest"
import { makeCallId } from "../../src/domain/ids.ts"
import { dayText } from "../../src/domain/vietnam-days.ts"
import { vietnamese } from "../../src/dashboard/web/text/margin-vi.ts"
import { signUpOperator } from "../dashboard/TestPerson.ts"
import { findViolations } from "./check-page.ts"
import { sampleCall, writeCalls } from "./sample-data.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()
const { margin, purchase } = vietnamese

describe("the pages of margins", () => {
  it("take prices and rates, tell what is left and what has no price, and narrow to a model", async () => {
    const operator = await signUpOperator(site.dashboard, "lai-gop@example.com")
    const { person } = (await operator.get("/dashboard/api/session")).body
    const call = (model: string) => ({
      ...sampleCall(person.account_id, "key_unknown", 0, Date.now()),
      model,
      inputTokens: 1_000,
      outputTokens: 500,
      cost: 30_000_000_000n
    })
    // One that broke off was paid for and not charged; another is from before there was a price.
    const broken = { ...call("model-c"), status: 502, cost: 0n }
    const atMs = Date.now() - 36 * 3_600_000
    const former = { ...call("model-c"), callId: makeCallId(atMs), atMs }
    await writeCalls(site.dashboard.databaseUrl, [call("model-a"), call("model-b"), broken, former])
    const bought = {
      route: "*",
      currency: "VND",
      input: "1",
      cache_read: null,
      cache_write: null,
      output: "1"
    }
    const price = { ...bought, model: "model-c", per_request: "0", tools: {}, from: dayText(Date.now()) }
    assert.strictEqual((await operator.post("/dashboard/api/operator/purchase-prices", price)).status, 200)
    const { close, page } = await site.openPage("/operator/purchase-prices", operator)

    await page.getByRole("button", { name: purchase.add }).click()
    const dialog = page.getByRole("dialog")
    const fill = (label: string, text: string) => dialog.getByLabel(label, { exact: true }).fill(text)
    await fill(purchase.model, "model-a")
    await fill(purchase.input, "1.250")
    await dialog.getByRole("button", { name: purchase.save, exact: true }).click()
    await dialog.getByText(purchase.bad).waitFor()
    assert.deepStrictEqual(await findViolations(page), [])
    await fill(purchase.input, "300")
    await fill(purchase.output, "1000,5")
    await fill(purchase.tools, "web_search 0.01")
    await dialog.getByRole("button", { name: purchase.save, exact: true }).click()
    await page.getByText("USD · vào 300 · ra 1.000,5 · web_search 0,01").waitFor()

    await page.getByRole("button", { name: purchase.addRate }).click()
    await fill(purchase.rate, "0")
    await page.locator("dialog button[type=submit]").click()
    await page.getByText(purchase.bad).waitFor()
    await fill(purchase.rate, "26000")
    assert.deepStrictEqual(await findViolations(page), [])
    await dialog.getByRole("button", { name: purchase.save, exact: true }).click()
    await page.getByText(purchase.rateSaved).waitFor()

    // (1000 × 300 + 500 × 1000.5) × 26000 µVND
    await page.getByRole("link", { name: purchase.back, exact: true }).last().click()
    const row = (model: string) => page.getByRole("row").filter({ hasText: model })
    await row("model-a").getByText("30,65%").waitFor()
    assert.include((await row("model-a").innerText()).replaceAll(/\s/g, ""), "20.806,5₫")
    await row("model-b").getByText(margin.unpriced).waitFor()
    assert.include((await row("model-c").innerText()).replaceAll(/\s/g, ""), "0,0015₫")
    assert.strictEqual(await row("model-c").getByText(margin.unpriced).count(), 0)
    await page.getByLabel(margin.missing).getByText("model-b").waitFor()

    await page.getByRole("button", { name: margin.floor("0") }).click()
    await fill(margin.floorLabel, "40")
    assert.deepStrictEqual(await findViolations(page), [])
    await dialog.getByRole("button", { name: margin.save }).click()
    await page.getByRole("button", { name: margin.floor("40") }).waitFor()

    // What broke off was paid for, though nothing was charged.
    const today = dayText(Date.now())
    await page.goto(`/dashboard/operator/margin?period=custom&from=${today}&to=${today}&model=model-c`)
    await row("model-c").getByText("−0,0015").waitFor()
    assert.strictEqual(await page.getByText(margin.nothing, { exact: true }).count(), 0)
    await page.goto("/dashboard/operator/margin")

    await row("model-a").getByRole("button").click()
    await row("lai-gop@example.com").getByText(margin.below).waitFor()
    assert.include(page.url(), "model=model-a")
    await close()
  })

  it("say how many of the customers the CSV has", async () => {
    const operator = await signUpOperator(site.dashboard, "nhieu-khach@example.com")
    const tell = async (groups: number) => {
      const { close, page } = await site.openPage("/operator/margin?by=account", operator, (opened) =>
        opened.route("**/api/operator/margin?**", async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, json: { ...(await response.json()), groups } })
        })
      )
      const told = await page.getByText("Đang hiện").innerText()
      await close()
      return told
    }
    assert.include(await tell(9_000), margin.more("1", "9.000", "9.000"))
    assert.include(await tell(12_000), margin.more("1", "12.000", "10.000"))
  })
})
