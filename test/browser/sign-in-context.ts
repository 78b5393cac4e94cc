/** A browser in which this person is signed in already. */
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core"
import type { TestDashboard } from "../dashboard/start-dashboard.ts"
import type { TestPerson } from "../dashboard/TestPerson.ts"

/** Beside four other files a step takes its time; what fails is told by then, well before the test's own end. */
const stepMsMax = 60_000

export const openContext = async (
  browser: Browser,
  dashboard: Pick<TestDashboard, "url">,
  person: TestPerson | undefined,
  { language, ...options }: BrowserContextOptions & { readonly language?: string } = {}
): Promise<BrowserContext> => {
  const context = await browser.newContext({
    baseURL: dashboard.url,
    locale: "vi-VN",
    viewport: { width: 1280, height: 860 },
    // What moves is drawn anew 60 times a second, by the processors that the server waits for.
    reducedMotion: "reduce",
    ...options
  })
  context.setDefaultTimeout(stepMsMax)
  // As over plain HTTP in somebody's own network: tests are at 127.0.0.1, where browsers have more.
  await context.addInitScript("delete Crypto.prototype.randomUUID")
  const pairs =
    person === undefined ? [] : person.cookie.split("; ").map((pair) => /^([^=]+)=(.*)$/.exec(pair)!)
  await context.addCookies(
    pairs.map(([, name, value]) => ({ name: name!, value: value!, url: dashboard.url }))
  )
  if (language !== undefined)
    await context.addCookies([
      { name: "tollgate_language", value: language, url: `${dashboard.url}/dashboard` }
    ])
  return context
}
