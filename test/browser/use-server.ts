/** The whole program and a browser for the tests of one file. */
import type { Browser } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import type { TestPerson } from "../dashboard/TestPerson.ts"
import { watchErrors } from "./check-page.ts"
import { shareBrowser } from "./launch.ts"
import { openContext } from "./sign-in-context.ts"
import { startServer, type TestServer } from "./start-server.ts"

export const useServer = () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), shareBrowser()])
  })
  afterAll(async () => {
    for (const context of browser?.contexts() ?? []) await context.close()
    await server?.stop()
  })
  return {
    get server() {
      return server
    },
    get browser() {
      return browser
    },
    /** A page as this person sees it, or somebody who is not signed in. */
    openPage: async (language: "vi" | "en", person?: TestPerson, path = "") => {
      const context = await openContext(browser, server, person)
      const page = await context.newPage()
      const errors = watchErrors(page)
      await page.goto(`/dashboard${path}`)
      if (language === "en") await page.getByRole("button", { name: "English" }).click()
      return { page, errors, close: () => context.close() }
    }
  }
}
