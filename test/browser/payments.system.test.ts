/** What stands behind a payment: payOS, which takes it, and the electronic invoice of its receipt. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { english as englishPaying } from "../../src/dashboard/web/text/paying-en.ts"
import { vietnamese as vietnamesePaying } from "../../src/dashboard/web/text/paying-vi.ts"
import { english as englishStatement } from "../../src/dashboard/web/text/statement-en.ts"
import { vietnamese as vietnameseStatement } from "../../src/dashboard/web/text/statement-vi.ts"
import { payosBody, payosEnvironment, type PayosStub, startPayos } from "../dashboard/payos-stub.ts"
import { signUpPerson, TestPerson } from "../dashboard/TestPerson.ts"
import { einvoiceAt, type SepayStub, startSepayStub } from "../invoices/sepay-stub.ts"
import { assertWhole } from "./assert-whole.ts"
import { settle } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { languages } from "./steps.ts"
import { useDashboard } from "./use-dashboard.ts"

const checksumKey = "checksum-key-of-the-tests"
let payos: PayosStub
let sepay: SepayStub
beforeAll(async () => {
  ;[payos, sepay] = await Promise.all([startPayos(checksumKey), startSepayStub()])
})
afterAll(() => {
  payos.close()
  sepay.stop()
})

const site = useDashboard({
  environment: payosEnvironment(checksumKey),
  change: (settings) => ({
    ...settings,
    einvoice: einvoiceAt(sepay.url),
    topUp: { ...settings.topUp, baseUrls: { ...settings.topUp.baseUrls, payos: payos.url } }
  })
})

let references = 0
const pay = (amount: number) =>
  new TestPerson(site.dashboard).post(
    "/webhooks/payos",
    payosBody(
      {
        currency: "VND",
        code: "00",
        desc: "success",
        amount,
        accountNumber: "0123456789",
        description: "CS1 ABC",
        reference: `FT${++references}`,
        transactionDateTime: "2026-11-20 14:00:00",
        counterAccountName: "NGUYEN VAN A",
        counterAccountNumber: "19001",
        orderCode: payos.asked.at(-1)!.orderCode
      },
      checksumKey
    )
  )

describe.each(languages)("in %s", (language, words) => {
  const paying = language === "vi" ? vietnamesePaying : englishPaying
  const statement = language === "vi" ? vietnameseStatement : englishStatement
  const open = async (email: string, path: string) => {
    payos.mood = "well"
    const person = await signUpPerson(site.dashboard, email)
    const context = await openContext(site.browser, site.dashboard, person, {
      language,
      viewport: { width: 390, height: 844 }
    })
    const page = await context.newPage()
    await page.goto(`/dashboard${path}`)
    await settle(page)
    return { close: () => context.close(), page, person }
  }

  it("payOS is asked again for what it refused, and the page hears of the payment", async () => {
    const { close, page } = await open(`payos-${language}@example.com`, "/topup")
    payos.mood = "refusing"
    const create = page.getByRole("button", { name: words.topup.create })
    await create.press("Enter")
    await page.getByText(paying.problems.top_up_unavailable).waitFor()
    await assertWhole(page)
    payos.mood = "well"
    await create.press("Enter")
    await page.getByTestId("qr").waitFor()
    await page.getByText("MB Bank", { exact: true }).waitFor()
    await page.getByText("VQRQ0001", { exact: true }).waitFor()
    await page.getByText(`CS1 ${String(payos.asked.at(-1)!["description"]).slice(-9)}`).waitFor()
    await assertWhole(page)
    await page.reload()
    await page.getByTestId("qr").waitFor()
    await pay(100_000)
    await page.getByText(words.topup.paid).waitFor()
    await assertWhole(page)
    await close()
  })

  it("an invoice is asked for once, says whom it lacks, and comes by itself", async () => {
    const { close, page, person } = await open(`hoa-don-${language}@example.com`, "/statement")
    await person.post("/dashboard/api/top-ups", { amount: 200_000 })
    await pay(200_000)
    await page.reload()
    await settle(page)
    await page.getByRole("link", { name: statement.receipt }).first().press("Enter")
    const ask = page.getByRole("button", { name: statement.invoiceAsk })
    await ask.press("Enter")
    await page.getByText(statement.invoiceNeeds).waitFor()
    await assertWhole(page)
    await page.getByRole("button", { name: statement.edit }).press("Enter")
    const company = page.getByRole("dialog").getByLabel(statement.company)
    await company.fill("Công ty Lan")
    await company.press("Enter")
    await page.getByText("Công ty Lan").waitFor()
    await ask.focus()
    // Twice before the page is drawn anew.
    await ask.evaluate((element) => [1, 2].forEach(() => element.click()))
    await page.getByText(statement.invoiceStatus.waiting).waitFor()
    await page.locator("h1:focus").waitFor()
    assert.strictEqual(await page.getByText(statement.invoiceNeeds).count(), 0)
    await assertWhole(page)
    await site.dashboard.sql`
      update invoices set status = 'issued', number = '101', url = 'https://invoices.example/1.pdf'`
    await page.getByRole("link", { name: statement.invoiceNumber("101") }).waitFor()
    await close()
  })

  it("an invoice that was asked for in another tab is shown, and one that can not be asked for says why", async () => {
    const { close, page, person } = await open(`hai-tab-${language}@example.com`, "/statement")
    await person.post("/dashboard/api/billing", { company: "Công ty Lan" })
    await person.post("/dashboard/api/top-ups", { amount: 300_000 })
    await pay(300_000)
    await page.reload()
    await settle(page)
    await page.getByRole("link", { name: statement.receipt }).first().press("Enter")
    const ask = page.getByRole("button", { name: statement.invoiceAsk })
    await ask.waitFor()
    await page.route("**/invoice", (route) => route.abort())
    await ask.press("Enter")
    const refusal = page.getByRole("status").getByText(words.errors.network)
    await refusal.waitFor()
    await page.unroute("**/invoice")
    const id = new URL(page.url()).searchParams.get("id")!
    await person.post(`/dashboard/api/receipts/${id}/invoice`)
    await ask.press("Enter")
    await page.getByText(statement.invoiceStatus.waiting).waitFor()
    assert.strictEqual(await refusal.count(), 0)
    await close()
  })
})
