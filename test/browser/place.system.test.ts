/** Where on a page somebody is, after a row was looked at. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { signUpOperator, signUpPerson } from "../dashboard/TestPerson.ts"
import { settle } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { useDashboard } from "./use-dashboard.ts"
import { until } from "../until.ts"

const placeOf = (page: Page): Promise<number> => page.evaluate("scrollY")

const site = useDashboard()

describe("Back", () => {
  it("leads to the row that was looked at, also where the list comes late", async () => {
    const operator = await signUpOperator(site.dashboard, "cho-nay@example.com")
    for (let index = 0; index < 40; index++) await signUpPerson(site.dashboard, `dong-${index}@example.com`)
    const context = await openContext(site.browser, site.dashboard, operator)
    const page = await context.newPage()
    await page.goto("/dashboard/operator/accounts")
    const row = page.getByRole("link", { name: "dong-3@example.com", exact: true })
    await row.scrollIntoViewIfNeeded()
    const place = await placeOf(page)
    assert.isAbove(place, 300)
    await row.click()
    await page.getByRole("heading", { name: "dong-3@example.com" }).waitFor()
    await settle(page)

    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/api\/operator\/accounts(\?|$)/, async (route) => {
      await released
      await route.continue()
    })
    await page.goBack()
    await page.locator(".skeleton").first().waitFor()
    release()
    await row.waitFor()
    await until(async () => Math.abs((await placeOf(page)) - place) < 2)

    // And stays where its person goes then.
    await page.mouse.wheel(0, -200)
    await until(async () => (await placeOf(page)) < place - 100)
    await context.close()
  })
})
