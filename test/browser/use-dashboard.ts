/** A dashboard and a browser for the tests of one file. */
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import type { TestPerson } from "../dashboard/TestPerson.ts"
import { settle } from "./check-page.ts"
import { shareBrowser } from "./launch.ts"
import { openContext } from "./sign-in-context.ts"

export const useDashboard = (options?: Parameters<typeof startTestDashboard>[0]) => {
  let dashboard: TestDashboard
  let browser: Browser
  beforeAll(async () => {
    dashboard = await startTestDashboard(options)
    browser = await shareBrowser()
  })
  afterAll(async () => {
    for (const context of browser?.contexts() ?? []) await context.close()
    await dashboard?.stop()
  })
  return {
    get dashboard() {
      return dashboard
    },
    get browser() {
      return browser
    },
    /** A page as this person sees it, once it has settled; `prepare` comes before the first request. */
    openPage: async (path: string, person: TestPerson, prepare?: (page: Page) => Promise<unknown>) => {
      const context = await openContext(browser, dashboard, person)
      const page = await context.newPage()
      await prepare?.(page)
      await page.goto(`/dashboard${path}`)
      await settle(page)
      return { page, close: () => context.close() }
    }
  }
}
