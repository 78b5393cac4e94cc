/** A browser has six connections to a server over HTTP/1.1, for all tabs together. */
import { assert, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { vietnamese } from "../../src/dashboard/web/text/paying-vi.ts"
import { signUpPerson, tellTransfer } from "../dashboard/TestPerson.ts"
import { openContext } from "./sign-in-context.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()

/** What a tab is told when another is looked at, or it is looked at again. */
const setVisible = (page: Page, isVisible: boolean) =>
  page.evaluate(
    `Object.defineProperty(document, "visibilityState", { value: "${isVisible ? "visible" : "hidden"}", configurable: true })
    document.dispatchEvent(new Event("visibilitychange"))`
  )

it("tabs in which an order waits, and which nobody looks at, leave the connections to others and catch up when seen", async () => {
  const person = await signUpPerson(site.dashboard, "nhieu-the@example.com")
  const order = (await person.post("/dashboard/api/top-ups", { amount: 100_000 })).body
  const context = await openContext(site.browser, site.dashboard, person)
  const tabs: Array<Page> = []
  for (let count = 0; count < 6; count++) {
    const tab = await context.newPage()
    await tab.goto(`/dashboard/topup?order=${order.id}`)
    await tab.getByTestId("qr").waitFor()
    await setVisible(tab, false)
    tabs.push(tab)
  }
  const another = await context.newPage()
  await another.goto("/dashboard/keys")
  await another.locator("h1").waitFor()

  const { status } = await tellTransfer(site.dashboard, {
    id: "paid",
    content: order.code,
    transferAmount: 100_000
  })
  assert.strictEqual(status, 200)
  const paid = tabs[0]!.getByText(vietnamese.paid, { exact: true })
  assert.strictEqual(await paid.count(), 0)
  await setVisible(tabs[0]!, true)
  await paid.waitFor()
  await context.close()
})
