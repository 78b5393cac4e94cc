/** What an operator does to the routes to providers, in a real browser against the whole program. */
import { assert, describe, it } from "@effect/vitest"
import { beforeAll } from "vitest"
import { english } from "../../src/dashboard/web/text/providers-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/providers-vi.ts"
import { signUpOperator, type TestPerson } from "../dashboard/TestPerson.ts"
import { findViolations, settle, watchErrors } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { call } from "./steps.ts"
import { useServer } from "./use-server.ts"

const site = useServer()
let operator: TestPerson
let key: string
beforeAll(async () => {
  operator = await signUpOperator(site.server, "nha-cung-cap@example.com")
  const made = await operator.post("/dashboard/api/keys", { name: "a", rate_limit: 0 })
  key = made.body.key
  const accountId = (await operator.get("/dashboard/api/session")).body.person.account_id
  await operator.post(`/dashboard/api/operator/accounts/${accountId}/credit`, {
    amount_vnd: "100000",
    reason: "a",
    id: crypto.randomUUID()
  })
})

const languages = [
  ["vi", vietnamese],
  ["en", english]
] as const

const openPage = async (language: "vi" | "en") => {
  const context = await openContext(site.browser, site.server, operator)
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const errors = watchErrors(page)
  await page.goto("/dashboard/operator/providers")
  if (language === "en") await page.getByRole("button", { name: "English" }).click()
  return { page, errors, close: () => context.close() }
}

describe.each(languages)("an operator, in %s", (language, words) => {
  it("pauses a route, so that calls are refused, tests it all the same, and resumes it", async () => {
    const { close, errors, page } = await openPage(language)
    const route = page
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name: "anthropic#0" }) })
    const button = (name: string) =>
      route.getByRole("button", { name: new RegExp(`^${name}\\s*anthropic#0$`) })
    assert.strictEqual((await call(site.server, key)).status, 200)

    await button(words.pause).click()
    await button(words.resume).waitFor()
    await page.getByText(words.pausedNow).waitFor()
    assert.strictEqual((await call(site.server, key)).status, 502)

    await button(words.test).click()
    await route.getByText(words.testWell).waitFor()
    assert.include(await route.getByRole("status").innerText(), "HTTP 200")
    await settle(page)
    assert.deepStrictEqual(await findViolations(page), [])

    await button(words.resume).click()
    await button(words.pause).waitFor()
    assert.strictEqual((await call(site.server, key)).status, 200)

    await button(words.weigh).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel(words.weight).fill("0")
    await dialog.getByRole("button", { name: words.save }).click()
    await dialog.getByText(words.weightBad).waitFor()
    await dialog.getByLabel(words.weight).fill(language === "vi" ? "2,5" : "2.5")
    await dialog.getByRole("button", { name: words.save }).click()
    await dialog.waitFor({ state: "detached" })
    await route.getByText(words.weightOf(language === "vi" ? "2,5" : "2.5", "1")).waitFor()
    assert.deepStrictEqual(errors, [])
    await close()
  })
})
