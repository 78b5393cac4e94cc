/** Orders that end otherwise than by the sum that was ordered. */
import { assert, describe, it } from "@effect/vitest"
import { english } from "../../src/dashboard/web/text/paying-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/paying-vi.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpPerson, tellTransfer } from "../dashboard/TestPerson.ts"
import { assertWhole } from "./assert-whole.ts"
import { openContext } from "./sign-in-context.ts"
import { languages } from "./steps.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()

it("that is no longer among those that the page shows is known to be in the statement", async () => {
  const person = await signUpPerson(site.dashboard, "nap-nhieu@example.com")
  const accountId = await accountOf(person)
  await person.post("/dashboard/api/top-ups", { amount: 500_000 })
  const copy = (count: number) => site.dashboard.sql`
    insert into top_up_orders (id, account_id, code, amount_micro_vnd, created_at, expires_at)
    select gen_random_uuid(), account_id, 'STMANY' || ${count}::int4 || 'X' || number, (number * 1000 + ${count}::int4) * 1000000::int8, created_at, expires_at
    from top_up_orders, generate_series(1, ${count}::int4) number where account_id = ${accountId} and code not like 'STMANY%'`
  const hasMore = async () => {
    const { has_more_orders: more, orders } = (await person.get("/dashboard/api/top-ups")).body
    return [orders.length, more]
  }
  await copy(49)
  assert.deepStrictEqual(await hasMore(), [50, false])
  await copy(1)
  assert.deepStrictEqual(await hasMore(), [50, true])
  const { close, page } = await site.openPage("/topup", person)
  await page.getByText(vietnamese.latest("50")).waitFor()
  await page.getByRole("link", { name: vietnamese.allReceived }).click()
  await page.waitForURL(/\/statement\?period=all/)
  await close()
})

describe.each(languages)("an order, in %s", (language, words) => {
  const paying = language === "vi" ? vietnamese : english
  const amountOf = (vnd: number) => `${vnd.toLocaleString(language)} ₫`

  const openOrder = async (email: string, amount: number) => {
    const person = await signUpPerson(site.dashboard, email)
    const order = (await person.post("/dashboard/api/top-ups", { amount })).body
    const context = await openContext(site.browser, site.dashboard, person, {
      language,
      viewport: { width: 390, height: 844 }
    })
    const page = await context.newPage()
    await page.goto(`/dashboard/topup?order=${order.id}`)
    await page.getByTestId("qr").waitFor()
    return { order, page, close: () => context.close() }
  }

  it("that was paid by another sum says what was ordered and what came", async () => {
    const { close, order, page } = await openOrder(`it-hon-${language}@example.com`, 500_000)
    await tellTransfer(site.dashboard, { id: order.code, content: order.code, transferAmount: 200_000 })
    const told = page.getByText(paying.differs(amountOf(500_000), amountOf(200_000)))
    await told.waitFor()
    await assertWhole(page)
    await page.reload()
    await told.waitFor()
    await close()
  })

  it("that expires while it is looked at has no code any more, and gives a new one", async () => {
    const { close, order, page } = await openOrder(`het-han-${language}@example.com`, 500_000)
    await page.getByRole("button", { name: words.topup.otherAmount }).focus()
    await site.dashboard
      .sql`update top_up_orders set expires_at = now() - interval '1 minute' where id = ${order.id}`
    // As any change of it is told.
    await site.dashboard.sql`select pg_notify('tollgate_top_up', ${order.id})`
    await page.getByText(paying.expired, { exact: true }).waitFor()
    await page.getByRole("cell").getByText(words.topup.status.expired, { exact: true }).waitFor()
    assert.strictEqual(await page.getByText(words.topup.scan).count(), 0)
    await page.locator("h1:focus").waitFor()
    await assertWhole(page)
    await page.reload()
    await page.getByText(paying.expired, { exact: true }).waitFor()
    const release = Promise.withResolvers<void>()
    let asked = 0
    await page.route("**/top-ups", async (route) => {
      if (route.request().method() !== "POST") return route.continue()
      asked += 1
      await release.promise
      return route.continue()
    })
    const renew = page.getByRole("button", { name: paying.newCode(amountOf(500_000)) })
    await renew.focus()
    // Twice before the page is drawn anew, and once while it shows that it is busy.
    await renew.evaluate((element) => [1, 2].forEach(() => element.click()))
    await page.locator("button[aria-disabled=true]:focus").waitFor()
    await renew.press("Enter")
    assert.strictEqual(asked, 1)
    release.resolve()
    await page.getByTestId("qr").waitFor()
    assert.strictEqual(asked, 1)
    await page.locator("h1:focus").waitFor()
    await page.getByText(words.topup.waiting).waitFor()
    await page.getByRole("cell").getByText(words.topup.status.pending, { exact: true }).waitFor()
    await tellTransfer(site.dashboard, { id: order.code, content: order.code, transferAmount: 500_000 })
    await page.getByText(words.topup.paid).waitFor()
    const same = paying.differs(amountOf(500_000), amountOf(500_000))
    assert.strictEqual(await page.getByText(same).count(), 0)
    await close()
  })

  it("that is left for another amount, or opened from the list, leaves the focus at the heading", async () => {
    const { close, page } = await openOrder(`tieu-diem-${language}@example.com`, 500_000)
    await page.getByRole("button", { name: words.topup.otherAmount }).press("Enter")
    await page.getByRole("button", { name: words.topup.create }).waitFor()
    await page.locator("h1:focus").waitFor()
    await page.keyboard.press("Tab")
    await page.getByRole("group", { name: words.topup.quick }).locator("button:focus").waitFor()
    await page.getByRole("button", { name: words.topup.open, exact: true }).press("Enter")
    await page.getByTestId("qr").waitFor()
    await page.locator("h1:focus").waitFor()
    assert.strictEqual(await page.evaluate("scrollY"), 0)
    await close()
  })
})
