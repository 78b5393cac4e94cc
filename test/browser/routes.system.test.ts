/** A route to a provider that operators add, change and remove. */
import { assert, describe, it } from "@effect/vitest"
import { english } from "../../src/dashboard/web/text/providers-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/providers-vi.ts"
import { signUpOperator } from "../dashboard/TestPerson.ts"
import { findViolations, pixelsUnnoticed, settle, sticksOut } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { comeBack } from "./steps.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard({ environment: { ANTHROPIC_API_KEY: "sk-ant-of-the-tests" } })

describe("what comes late to the routes", () => {
  const hours = Array.from({ length: 24 }, (_, hour) => ({ at: hour * 3_600_000, calls: 1, failed: 0 }))
  const route = {
    id: "first",
    base_url: "https://first.example.com",
    key_hint: "1234",
    models: [],
    added: true,
    paused: false,
    state: "closed",
    until: null as number | null,
    calls: 1,
    success_rate: 1,
    p50_ms: 1,
    p95_ms: 1,
    weight: 1,
    priority: 1,
    last_error: null,
    hours
  }

  it.each([1280, 390])(
    "moves no button that calls are stopped by from under a click, at %i",
    async (width) => {
      const staff = await signUpOperator(site.dashboard, `tuyen-${width}@example.com`)
      const context = await openContext(site.browser, site.dashboard, staff, {
        viewport: { width, height: 860 }
      })
      const page = await context.newPage()
      let first = route
      const { promise: late, resolve: release } = Promise.withResolvers<void>()
      await page.route("**/operator/routes", (asked) =>
        asked.fulfill({ json: { providers: [], routes: [first, { ...route, id: "second" }] } })
      )
      await page.route("**/operator/routes/test", async (asked) => {
        await late
        const json = { model: "claude-sonnet-5", status: 200, fault: null, first_byte_ms: 200, total_ms: 400 }
        return asked.fulfill({ json: { ...json, message: null } })
      })
      await page.goto("/dashboard/operator/providers")
      await settle(page)
      const button = (name: string, id: string) => page.getByRole("button", { name: `${name} ${id}` })
      const pauses = ["first", "second"].map((id) => button(vietnamese.pause, id))
      const places = () => Promise.all(pauses.map(async (pause) => (await pause.boundingBox())!))
      const assertStays = async (before: Awaited<ReturnType<typeof places>>) => {
        for (const [index, { x, y }] of (await places()).entries()) {
          assert.approximately(x, before[index]!.x, pixelsUnnoticed)
          assert.approximately(y, before[index]!.y, pixelsUnnoticed)
        }
      }
      await button(vietnamese.test, "first").click()
      await page.getByText(vietnamese.testing).waitFor()
      const asked = await places()
      release()
      await page.getByText(vietnamese.testWell).waitFor()
      await assertStays(asked)
      first = { ...route, state: "open", until: Date.now() }
      await comeBack(page)
      await page.getByText(vietnamese.states.open).waitFor()
      await assertStays(asked)
      await context.close()
    }
  )
})

describe.each([
  ["vi", vietnamese, "Mục này không còn nữa. Nội dung trên trang vừa được cập nhật."],
  ["en", english, "This no longer exists. The page is up to date now."]
] as const)("an added route, in %s", (language, words, gone) => {
  const open = async (email: string) => {
    const staff = await signUpOperator(site.dashboard, email)
    const context = await openContext(site.browser, site.dashboard, staff, { language })
    const page = await context.newPage()
    const add = async () => {
      const route = {
        provider: "anthropic",
        base_url: "https://first.example.com",
        key: "sk-of-the-provider-1234",
        models: [],
        priority: 3
      }
      const { id } = (await staff.post("/dashboard/api/operator/routes", route)).body
      await page.goto("/dashboard/operator/providers")
      await settle(page)
      const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: id }) })
      const button = (name: string) => card.getByRole("button", { name: new RegExp(`^${name}\\s`) })
      return { button, card, id }
    }
    return { add, context, dialog: page.getByRole("dialog"), page, staff }
  }

  it("is changed by keyboard alone, and keeps its key", async () => {
    const { add, context, dialog, page } = await open(`doi-${language}@example.com`)
    const { button, card, id } = await add()
    await button(words.edit).press("Enter")
    await dialog.getByRole("heading", { name: words.editTitle(id) }).waitFor()
    const base = dialog.getByLabel(words.baseUrl)
    assert.isTrue(await base.evaluate((element) => element.matches(":focus")))
    assert.strictEqual(await base.inputValue(), "https://first.example.com")
    assert.deepStrictEqual(await findViolations(page), [])
    await dialog.getByLabel(words.priority).fill("0")
    await dialog.getByLabel(words.priority).press("Enter")
    await dialog.getByText(words.priorityBad).waitFor()
    await dialog.locator("input[aria-invalid=true]:focus").waitFor()
    await dialog.getByLabel(words.priority).fill("7")
    await dialog.getByLabel(words.modelsOnly).fill("no-such-model")
    await dialog.getByLabel(words.priority).press("Enter")
    await dialog.getByText(words.invalid).waitFor()
    await dialog.getByLabel(words.modelsOnly).fill("claude-sonnet-5")
    await dialog.getByLabel(words.priority).press("Enter")
    await page.getByText(words.savedRoute, { exact: true }).waitFor()
    await card.getByText("claude-sonnet-5").waitFor()
    await card.getByText(words.keyEnds("1234")).waitFor()
    await card.getByText(words.weightOf("1", "7")).waitFor()
    assert.isTrue(await button(words.edit).evaluate((element) => element.matches(":focus")))
    await button(words.edit).press("Enter")
    await base.fill("https://second.example.com")
    await base.press("Enter")
    await dialog.getByText(words.refused).waitFor()
    await dialog.getByLabel(words.key, { exact: true }).fill("sk-of-the-provider-5678")
    await base.press("Enter")
    await card.getByText("https://second.example.com").waitFor()
    await card.getByText(words.keyEnds("5678")).waitFor()
    const thousand = language === "vi" ? "1.000" : "1,000"
    await button(words.weigh).press("Enter")
    await dialog.getByLabel(words.weight).fill(thousand)
    await dialog.getByLabel(words.weight).press("Enter")
    await card.getByText(words.weightOf(thousand, "7")).waitFor()
    await context.close()
  })

  it("is removed, and one that another operator removed meanwhile is said to be gone", async () => {
    const { add, context, dialog, page, staff } = await open(`bo-${language}@example.com`)
    for (const [isGone, told] of [
      [false, words.removed],
      [true, gone]
    ] as const) {
      const { button, card, id } = await add()
      await button(words.remove).press("Enter")
      await dialog.getByRole("heading", { name: words.removeTitle(id) }).waitFor()
      assert.deepStrictEqual(await findViolations(page), [])
      if (isGone) await staff.post("/dashboard/api/operator/routes/remove", { route: id })
      await dialog.getByRole("button", { name: words.remove }).press("Enter")
      await page.getByRole("status").getByText(told, { exact: true }).waitFor()
      await dialog.waitFor({ state: "detached" })
      await card.waitFor({ state: "detached" })
      await page.locator("h1:focus").waitFor()
    }
    assert.deepStrictEqual(await page.evaluate(sticksOut), [])
    await context.close()
  })
})
