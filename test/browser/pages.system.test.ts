/** Every page, light and dark, wide and narrow, with hostile names in it. */
import { assert, describe, it } from "@effect/vitest"
import jsqr from "jsqr"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { PNG } from "pngjs"
import { beforeAll } from "vitest"
import { vietnamese as operator } from "../../src/dashboard/web/text/operator-vi.ts"
import { vietnamese as alerts } from "../../src/dashboard/web/text/alerts-vi.ts"
import { vietnamese as account } from "../../src/dashboard/web/text/account-vi.ts"
import { vietnamese as margins } from "../../src/dashboard/web/text/margin-vi.ts"
import { vietnamese as statement } from "../../src/dashboard/web/text/statement-vi.ts"
import { vietnamese as team } from "../../src/dashboard/web/text/team-vi.ts"
import { vietnamese as paying } from "../../src/dashboard/web/text/paying-vi.ts"
import { vietnamese } from "../../src/dashboard/web/text/vi.ts"
import { inviteTo } from "../dashboard/join-account.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer, type TestPerson } from "../dashboard/TestPerson.ts"
import { assertWhole } from "./assert-whole.ts"
import { findColourViolations, findViolations, settle, sticksOut, watchErrors } from "./check-page.ts"
import { accountViews, guestPages, operatorPages, ownPages, withFewModels } from "./every-page.ts"
import { fillAccount, fillTransfers, sampleCall, writeCalls } from "./sample-data.ts"
import { useDashboard } from "./use-dashboard.ts"
import { openContext } from "./sign-in-context.ts"

const markup = `<img src=x onerror="document.title='HACKED'"><script>document.title='HACKED'</script>`

const site = useDashboard({ environment: { ANTHROPIC_API_KEY: "sample" }, change: withFewModels })
let person: TestPerson
let member: TestPerson
let accountId: string
let entryId: string

beforeAll(async () => {
  person = await signUpOperator(site.dashboard, "moi-trang@example.com")
  await fillAccount(site.dashboard, person, 60)
  await fillTransfers(site.dashboard)
  accountId = await accountOf(person)
  const { id } = (
    await person.post("/dashboard/api/keys", { name: markup.slice(0, 100), rate_limit_per_minute: 0 })
  ).body
  const named = { model: markup, modelRequested: markup, errorType: markup }
  const call = { ...sampleCall(accountId, id, 1, Date.now()), ...named }
  await writeCalls(site.dashboard.databaseUrl, [{ ...call, status: 502, cost: 0n }])
  await tellTransfer(site.dashboard, { id: 900, content: markup })
  const { lines } = (await person.get("/dashboard/api/statement?from=2020-01-01")).body
  entryId = lines.find(({ kind }: { kind: string }) => kind === "top_up").id
  await signUpPerson(site.dashboard, "ten-la@example.com", markup)
  const token = await inviteTo(person, "ten-la-2@example.com", "member")
  member = await signUpPerson(site.dashboard, "ten-la-2@example.com", markup)
  await member.post("/dashboard/api/invitations/accept", { token })
  await person.post("/dashboard/api/invitations", { email: "cho@example.com", role: "billing" })
  const budget = { budget_vnd: "500000", budget_period: "month" }
  const { members } = (await person.get("/dashboard/api/members")).body
  for (const { id: of } of members) await person.post(`/dashboard/api/members/${of}/budget`, budget)
})

/** Of each who looks: opening another takes about as long as looking at it. */
const shared = new Map<TestPerson | undefined, { readonly page: Page; readonly errors: Array<string> }>()

const goTo = async (path: string, who: TestPerson | undefined) => {
  const opened = shared.get(who) ?? (await openPage("/nowhere", who))
  shared.set(who, opened)
  const { errors, page } = opened
  errors.length = 0
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" })
  await page.goto(`/dashboard${path}`)
  await settle(page)
  return opened
}

const openPage = async (path: string, who?: TestPerson, isPhone = false, language?: "en") => {
  const context = await openContext(site.browser, site.dashboard, who, {
    ...(language !== undefined && { language }),
    isMobile: isPhone,
    viewport: { width: isPhone ? 390 : 1280, height: 860 }
  })
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.goto(`/dashboard${path}`)
  await settle(page)
  return { page, errors, close: () => context.close() }
}

/** In both themes, one after the other, and then as narrow as a phone. */
const checkPage = async (path: string, who?: TestPerson, act?: (page: Page) => Promise<unknown>) => {
  const { errors, page } = await goTo(path, who)
  await act?.(page)
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await settle(page)
    const find = colorScheme === "light" ? findViolations : findColourViolations
    assert.deepStrictEqual(await find(page), [], colorScheme)
  }
  await page.setViewportSize({ width: 390, height: 860 })
  await settle(page)
  assert.deepStrictEqual(await page.evaluate(sticksOut), [], "narrow")
  assert.deepStrictEqual(errors, [])
  assert.notStrictEqual(await page.title(), "HACKED")
}

describe("light, dark and narrow", () => {
  it.each(guestPages)("%s is open to everyone and shuts nobody out", (path) => checkPage(path))
  it.each([...ownPages, ...operatorPages])("%s runs no markup and shuts nobody out", (path) =>
    checkPage(path, person)
  )
  it.each(accountViews)("one account among the operator's does so too%s", (view) =>
    checkPage(`/operator/account?id=${accountId}${view}`, person)
  )
  it("giving a role does so too", () =>
    checkPage(`/operator/account?id=${accountId}`, person, (page) =>
      page.getByRole("button", { name: operator.accounts.role }).click()
    ))
  it("a receipt does so too", () => checkPage(`/receipt?id=${entryId}`, person))

  it.each<[string, string, (page: Page) => Promise<unknown>]>([
    ["a new key", "/keys", (page) => page.locator("main header button").click()],
    ["revoking a key", "/keys", (page) => page.locator("td.actions .button-danger").first().click()],
    ["showing a key", "/keys", (page) => page.locator("td.actions .button-quiet").first().click()],
    ["trying a call", "/docs?try=1", () => Promise.resolve()],
    ["a new name", "/account", (page) => page.getByRole("button", { name: account.rename }).click()],
    ["a new address", "/account", (page) => page.getByRole("button", { name: account.changeEmail }).click()],
    ["closing the account", "/account", (page) => page.getByRole("button", { name: account.close }).click()],
    ["inviting", "/members", (page) => page.locator("main header button").click()],
    ["a budget", "/members", (page) => page.locator("td.actions button").first().click()],
    ["a role", "/members", (page) => page.locator("td.actions:has(.button-danger) button").nth(1).click()],
    ["removing a member", "/members", (page) => page.locator("td.actions .button-danger").first().click()],
    ["billing details", "/statement", (page) => page.getByRole("button", { name: statement.edit }).click()],
    ["a call", "/usage", (page) => page.locator("td button:has(.sr-only)").first().click()],
    [
      "paying",
      "/topup",
      async (page) => {
        await page.locator("main form button[type=submit]").click()
        await page.getByTestId("qr").waitFor()
      }
    ],
    [
      "assigning a transfer",
      "/operator/transfers",
      (page) => page.locator("td.actions button").first().click()
    ],
    [
      "returning a transfer",
      "/operator/transfers",
      async (page) => {
        await page.locator("td.actions button").first().click()
        await page.getByRole("button", { name: operator.transfers.steps.return, exact: true }).click()
      }
    ],
    ["maintenance", "/operator", (page) => page.locator("main section button").first().click()],
    ["an announcement", "/operator", (page) => page.locator("main section button").nth(1).click()],
    [
      "prices of many models",
      "/operator/models",
      async (page) => {
        await page.locator("main header button").click()
        await page.getByRole("dialog").getByLabel(margins.bulk.percent).fill("10")
        await page.getByRole("dialog").locator("button[type=submit]").click()
        await page.getByRole("dialog").getByText(margins.bulk.marginHint).waitFor()
      }
    ],
    ["a price", "/operator/models", (page) => page.locator("td.actions button").first().click()]
  ])("the dialog for %s does so too", (_, path, act) => checkPage(path, person, act))

  it("the QR code on the screen says what the bank needs", async () => {
    const { close, page } = await openPage("/topup", person)
    await page.locator("main form button[type=submit]").click()
    await page.getByTestId("qr").waitFor()
    const { data, height, width } = PNG.sync.read(await page.getByTestId("qr").screenshot())
    const decoded = jsqr.default(new Uint8ClampedArray(data), width, height)?.data
    const { orders } = (await person.get("/dashboard/api/top-ups")).body
    assert.strictEqual(
      decoded,
      orders.find(({ amount_vnd: amount }: { amount_vnd: string }) => amount === "100000").bank.qr
    )
    await close()
  })
})

describe("for a member of another's account", () => {
  it.each(["/overview", "/keys", "/account", "/members"])("%s shuts nobody out", (path) =>
    checkPage(path, member, async (page) => {
      await page.getByLabel(team.actFor).selectOption(accountId)
      await page.getByText(team.youAre(team.roles.member)).waitFor()
      await page.goto(`/dashboard${path}`)
      await settle(page)
    })
  )
})

describe("in English, on a phone", () => {
  const phones = new Map<TestPerson | undefined, Awaited<ReturnType<typeof openPage>>>()
  const checkPhone = async (path: string, who?: TestPerson) => {
    const opened = phones.get(who) ?? (await openPage("/nowhere", who, true, "en"))
    phones.set(who, opened)
    const { errors, page } = opened
    errors.length = 0
    await page.goto(`/dashboard${path}`)
    await settle(page)
    assert.strictEqual(await page.locator("html").getAttribute("lang"), "en")
    await assertWhole(page)
    assert.deepStrictEqual(errors, [])
  }

  it.each(guestPages)("%s is open to everyone and shuts nobody out", (path) => checkPhone(path))
  it.each([...ownPages, ...operatorPages])("%s shuts nobody out", (path) => checkPhone(path, person))
  it.each(accountViews)("one account among the operator's shuts nobody out%s", (view) =>
    checkPhone(`/operator/account?id=${accountId}${view}`, person)
  )
})

describe("on a phone", () => {
  it("the QR code can be saved as a picture, which says what the bank needs", async () => {
    const { close, page } = await openPage("/topup", person, true)
    await page.locator("main form button[type=submit]").click()
    const save = page.getByRole("button", { name: paying.saveImage })
    const [download] = await Promise.all([page.waitForEvent("download"), save.click()])
    const { data, height, width } = PNG.sync.read(readFileSync(await download.path()))
    const decoded = jsqr.default(new Uint8ClampedArray(data), width, height)?.data
    const { orders } = (await person.get("/dashboard/api/top-ups")).body
    const order = orders.find(({ code }: { code: string }) => `${code}.png` === download.suggestedFilename())
    assert.strictEqual(decoded, order.bank.qr)
    await close()
  })

  it("what is in the books and in the log by its code is told in words", async () => {
    const webhook = { url: "https://hook.example/", kinds: ["balance.low", "budget.spent"] }
    await person.post("/dashboard/api/alerts/webhooks", webhook)
    const { page } = await goTo("/activity", person)
    const { "balance.low": low, "budget.spent": spent } = alerts.kinds
    await page.getByText(`${low}, ${spent}`).waitFor()
    await page.goto(`/dashboard/operator/account?id=${accountId}`)
    await page.getByText(`${statement.kinds.top_up} · ST`).waitFor()
  })

  it("a call is one row of two lines", async () => {
    const { close, page } = await openPage("/usage", person, true)
    const rows = await page
      .locator(".table.compact tbody tr")
      .evaluateAll((all) => all.map((row) => row.clientHeight))
    assert.isAbove(rows.length, 10)
    assert.isBelow(Math.max(...rows), 80)
    await close()
  })
})

describe("by keyboard alone", () => {
  it("the first stop after coming to a form is its first field", async () => {
    const { close, page } = await openPage("/signin")
    await page.getByRole("link", { name: vietnamese.auth.signUp }).focus()
    await page.keyboard.press("Enter")
    await page.locator("h1:focus").getByText(vietnamese.auth.signUpTitle).waitFor()
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.evaluate("document.activeElement.name"), "name")
    await close()
  })

  it("a dialog takes the focus, keeps it, closes on Escape and gives it back", async () => {
    const { close, page } = await openPage("/keys", person)
    const opener = page.locator("main header button")
    await opener.focus()
    await page.keyboard.press("Enter")
    await page.locator("dialog[open]").waitFor()
    const isInside = () => page.evaluate("document.querySelector('dialog').contains(document.activeElement)")
    assert.isTrue(await isInside())
    for (let index = 0; index < 5; index++) await page.keyboard.press("Tab")
    assert.isTrue(
      await page.evaluate(
        "document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)"
      )
    )
    await page.keyboard.press("Escape")
    await page.locator("dialog").waitFor({ state: "detached" })
    assert.isTrue(
      await page.evaluate("document.activeElement === document.querySelector('main header button')")
    )
    await close()
  })

  it("the first stop is the way past the navigation, and tabs are moved through by arrows", async () => {
    const { close, page } = await openPage("/overview", person)
    await page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.evaluate("document.activeElement.getAttribute('href')"), "#main")
    await page.locator("[role=tab]").first().focus()
    await page.keyboard.press("ArrowRight")
    assert.strictEqual(await page.locator("[role=tab][aria-selected=true]").innerText(), "Anthropic SDK")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    assert.strictEqual(await page.locator("[role=tab][aria-selected=true]").innerText(), "Codex")
    await close()
  })
})
