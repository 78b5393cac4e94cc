/** Answers that come late or not at all, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { beforeAll } from "vitest"
import { vietnamese as accountWords } from "../../src/dashboard/web/text/account-vi.ts"
import { vietnamese as ahead } from "../../src/dashboard/web/text/outlook-vi.ts"
import { vietnamese as operatorWords } from "../../src/dashboard/web/text/operator-vi.ts"
import { vietnamese as usageWords } from "../../src/dashboard/web/text/usage-vi.ts"
import { vietnamese as paying } from "../../src/dashboard/web/text/paying-vi.ts"
import { vietnamese } from "../../src/dashboard/web/text/vi.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer, type TestPerson } from "../dashboard/TestPerson.ts"
import { pixelsUnnoticed, settle } from "./check-page.ts"
import { sampleCall, writeCalls } from "./sample-data.ts"
import { comeBack } from "./steps.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()
let person: TestPerson
beforeAll(async () => {
  person = await signUpPerson(site.dashboard, "mang-cham@example.com")
})

const openPage = (path: string, prepare?: (page: Page) => Promise<unknown>) =>
  site.openPage(path, person, prepare)

const callOf = (model: string) => ({
  id: `req_${model}`,
  at: Date.now(),
  key_name: "key",
  endpoint: "messages",
  model,
  model_requested: model,
  stream: false,
  status: 200,
  error_type: "",
  input_tokens: 1,
  output_tokens: 1,
  estimated: false,
  cost_vnd: "1",
  latency_ms: 1,
  first_byte_ms: null
})

describe("a slow answer", () => {
  it("to an earlier question does not get into the list of a later one", async () => {
    const { promise: late, resolve: release } = Promise.withResolvers<void>()
    const { close, page } = await openPage("/usage", (page) =>
      page.route("**/dashboard/api/calls?*", async (route) => {
        const query = new URL(route.request().url()).searchParams
        if (query.get("outcome") === "failed")
          return route.fulfill({ json: { calls: [callOf("failed-call")], next: null } })
        if (query.get("before") === null)
          return route.fulfill({ json: { calls: [callOf("first-page")], next: "more" } })
        await late
        return route.fulfill({ json: { calls: [callOf("late-page")], next: null } })
      })
    )
    await page.getByRole("button", { name: vietnamese.common.more }).click()
    await page.getByLabel(usageWords.outcome, { exact: true }).selectOption("failed")
    await page.getByRole("cell", { name: "failed-call", exact: true }).waitFor()
    const answered = page.waitForResponse((response) => response.url().includes("before="))
    release()
    await (await answered).finished()
    await settle(page)
    assert.deepStrictEqual(await page.locator("td.font-medium.break-all").allInnerTexts(), ["failed-call"])
    await close()
  })

  it("finds its place kept, so that nothing moves away from under a click", async () => {
    const { body: key } = await person.post("/dashboard/api/keys", { name: "k", rate_limit_per_minute: 0 })
    const accountId = await accountOf(person)
    await writeCalls(site.dashboard.databaseUrl, [sampleCall(accountId, key.id, 1, Date.now())])
    const { promise: late, resolve: release } = Promise.withResolvers<void>()
    const { close, page } = await openPage("/keys", (page) =>
      page.route("**/dashboard/api/overview/outlook", async (route) => {
        await late
        return route.continue()
      })
    )
    const asked = page.waitForRequest("**/dashboard/api/overview/outlook")
    await page.getByRole("link", { name: vietnamese.nav.overview, exact: true }).first().click()
    await asked
    const link = page.getByRole("link", { name: vietnamese.overview.connectAll })
    const topOf = async () => (await link.boundingBox())!.y
    const before = await topOf()
    release()
    await page.getByRole("img", { name: ahead.chart }).waitFor()
    assert.approximately(await topOf(), before, pixelsUnnoticed)
    await close()
  })

  it.each([1280, 390])("finds the place of the notes above a page kept, too, at %i", async (width) => {
    const releases: Array<() => void> = []
    const { close, page } = await openPage("/topup", async (page) => {
      await page.setViewportSize({ width, height: 860 })
      await page.route("**/dashboard/api/session", async (route) => {
        const answer = await (await route.fetch()).json()
        const maintenance = { on: false, vi: "Bảo trì lúc nửa đêm.", en: null, until: null }
        const signedIn = { ...answer.person, email_verified: false }
        return route.fulfill({ json: { ...answer, sends_mail: true, maintenance, person: signedIn } })
      })
      await page.route(/assets\/(MaintenanceBanner|VerifyNote)-.*\.js/, async (route) => {
        await new Promise<void>((resolve) => releases.push(resolve))
        return route.continue()
      })
    })
    const create = page.getByRole("button", { name: paying.create })
    const topOf = async () => (await create.boundingBox())!.y
    const before = await topOf()
    for (const release of releases) release()
    await page.getByText("Bảo trì lúc nửa đêm.").waitFor()
    await page.getByRole("button", { name: accountWords.verifyAgain }).waitFor()
    assert.approximately(await topOf(), before, pixelsUnnoticed)
    await close()
  })

  it("makes a dialog longer, and moves nothing in it away from under a click", async () => {
    const operator = await signUpOperator(site.dashboard, "ban-thu-tien@example.com")
    const { transfers } = operatorWords
    await tellTransfer(site.dashboard, { id: "stray", content: "chuyen nham", transferAmount: 79_000 })
    const { promise: late, resolve: release } = Promise.withResolvers<void>()
    const suggestion = {
      account_id: "acc_1",
      email: "khach@example.com",
      name: "Khách",
      company: "",
      reasons: ["memo"],
      order_code: null,
      is_closed: false
    }
    const { close, page } = await site.openPage("/operator/transfers", operator, (page) =>
      page.route("**/suggestions", async (route) => {
        await late
        return route.fulfill({ json: { suggestions: Array.from({ length: 3 }, () => suggestion) } })
      })
    )
    await page.getByRole("button", { name: transfers.assign, exact: true }).click()
    const choice = page.getByRole("group", { name: transfers.settle })
    const topOf = async () => (await choice.boundingBox())!.y
    await choice.click({ trial: true })
    const before = await topOf()
    assert.strictEqual(await page.getByLabel(transfers.account).count(), 0)
    release()
    await page.locator("dialog input:focus").waitFor()
    assert.approximately(await topOf(), before, pixelsUnnoticed)
    await close()
  })
})

describe("a lost connection", () => {
  it("in which a page's code was missed is mended by trying again", async () => {
    let isAway = true
    const { close, page } = await openPage("/overview", (page) =>
      page.route("**/assets/Models-*.js", (route) => (isAway ? route.abort() : route.continue()))
    )
    await page.getByRole("link", { name: vietnamese.nav.models }).click()
    await page.getByRole("alert").getByText(vietnamese.errors.network).waitFor()
    isAway = false
    await page.getByRole("button", { name: vietnamese.common.retry }).click()
    await page.getByRole("heading", { name: vietnamese.models.title, level: 1 }).waitFor()
    await close()
  })

  it("and a page that was dropped meanwhile do not lose the order that is being paid", async () => {
    const { close, page } = await openPage("/topup", () => Promise.resolve())
    await page.getByRole("button", { name: paying.create }).click()
    await page.getByTestId("qr").waitFor()
    await page.reload()
    await page.getByTestId("qr").waitFor()
    await page.getByRole("button", { name: paying.otherAmount }).click()
    await page.reload()
    await page.getByRole("button", { name: paying.create }).waitFor()
    await close()
  })

  it("does not let the sums of one period pass for those of another", async () => {
    const { close, page } = await openPage("/usage", (page) =>
      page.route("**/dashboard/api/usage?*", (route) =>
        route.request().url().includes("bucket=hour") ? route.abort() : route.continue()
      )
    )
    await page.getByText(usageWords.byDay, { exact: true }).waitFor()
    await page.getByRole("button", { name: usageWords.periods.day, exact: true }).click()
    await page.getByRole("alert").getByText(vietnamese.errors.network).waitFor()
    assert.strictEqual(await page.getByText(usageWords.byDay, { exact: true }).count(), 0)
    await close()
  })

  it("is mended where nothing was listed yet, leaves what was listed when more can not be had, and then gives more", async () => {
    let isAway = true
    const { close, page } = await openPage("/usage", (page) =>
      page.route("**/dashboard/api/calls?*", async (route) => {
        if (isAway) return route.abort()
        if (!route.request().url().includes("before="))
          return route.fulfill({ json: { calls: [callOf("first-page")], next: "more" } })
        return route.fulfill({ json: { calls: [callOf("second-page")], next: null } })
      })
    )
    isAway = false
    await page.getByRole("alert").getByRole("button").press("Enter")
    await page.getByRole("cell", { name: "first-page", exact: true }).waitFor()
    await page.locator("h1:focus").waitFor()
    isAway = true
    await page.getByRole("button", { name: vietnamese.common.more }).click()
    await page.getByRole("alert").getByText(vietnamese.errors.network).waitFor()
    await page.getByRole("cell", { name: "first-page", exact: true }).waitFor()
    isAway = false
    await page.getByRole("button", { name: vietnamese.common.retry }).click()
    await page.getByRole("cell", { name: "second-page", exact: true }).waitFor()
    await page.getByRole("cell", { name: "first-page", exact: true }).waitFor()
    await close()
  })

  it("is told above numbers that can no longer be loaded anew", async () => {
    let isAway = false
    const { close, page } = await openPage("/overview", (page) =>
      page.route("**/dashboard/api/overview", (route) => (isAway ? route.abort() : route.continue()))
    )
    isAway = true
    await comeBack(page)
    await page.getByRole("alert").getByText(vietnamese.errors.network).waitFor()
    await page.getByTestId("balance").waitFor()
    isAway = false
    await page.getByRole("alert").getByRole("button", { name: vietnamese.common.retry }).click()
    await page.getByRole("alert").waitFor({ state: "detached" })
    await close()
  })

  it("does not let a sign-out that failed pass for one that worked", async () => {
    const { close, page } = await openPage("/overview", (page) =>
      page.route("**/dashboard/api/auth/sign-out", (route) => route.abort())
    )
    await page.getByRole("button", { name: vietnamese.nav.signOut }).click()
    await page.getByRole("status").getByText(vietnamese.errors.network).waitFor()
    await close()
  })
})
