/** What people do, in a real browser against the whole program, in both languages. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { english as englishAccount } from "../../src/dashboard/web/text/account-en.ts"
import { vietnamese as vietnameseAccount } from "../../src/dashboard/web/text/account-vi.ts"
import { formatVnd } from "../../src/domain/money.ts"
import { signUpOperator, signUpPerson, tellTransfer, testPassword } from "../dashboard/TestPerson.ts"
import { catalogue } from "../catalogue.ts"
import { until } from "../until.ts"
import { findViolations } from "./check-page.ts"
import { call, costOf, createKey, languages, signUp, topUp } from "./steps.ts"
import { useServer } from "./use-server.ts"

const site = useServer()

describe.each(languages)("a customer, in %s", (language, words) => {
  it("signs up, gets a key, is told where to pay, pays, calls, sees the cost, and revokes the key", async () => {
    const { close, errors, page } = await site.openPage(language)
    await signUp(page, words, `flow-${language}@example.com`)
    const key = await createKey(page, words, "Máy chủ")

    const refused = await call(site.server, key)
    assert.deepStrictEqual([refused.status, refused.body.error?.type], [402, "insufficient_balance"])
    const link = /https?:\S+\/dashboard\/topup/.exec(refused.body.error?.message ?? "")?.[0]
    await page.goto(link ?? "no link")
    await topUp(page, words, site.server)

    const answered = await call(site.server, key)
    assert.strictEqual(answered.status, 200)
    const cost = costOf(answered)

    await page.getByRole("link", { name: words.nav.usage, exact: true }).first().click()
    await page.getByLabel(words.usage.findId).fill(answered.requestId)
    const row = page.getByRole("row").filter({ hasText: answered.requestId })
    await row.waitFor()
    await page.locator(".compact tbody tr").nth(1).waitFor({ state: "detached" })
    const shown = language === "vi" ? cost.replace(".", ",") : cost
    assert.include(await row.innerText(), `${shown} ₫`)

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: words.usage.exportCsv }).click()
    ])
    const lines = readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\r\n")
    assert.lengthOf(lines, 3)
    const separator = language === "vi" ? ";" : ","
    const [header, line] = [
      lines[0]!.split(separator),
      lines.find((text) => text.includes(answered.requestId))!.split(separator)
    ]
    assert.strictEqual(line[header.indexOf("cost_vnd")], language === "vi" ? cost.replace(".", ",") : cost)

    await page.getByRole("link", { name: words.nav.overview, exact: true }).first().click()
    const left = formatVnd(100_000_000_000n - BigInt(Math.round(Number(cost) * 1_000_000)))
    const balance = (await page.getByTestId("balance").innerText()).replace(" ₫", "")
    assert.strictEqual(
      language === "vi" ? balance.replaceAll(".", "").replace(",", ".") : balance.replaceAll(",", ""),
      left
    )

    await page.getByRole("link", { name: words.nav.keys, exact: true }).first().click()
    const edit = () => page.getByRole("button", { name: words.keys.edit, exact: true }).click()
    await edit()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel(words.keys.budget, { exact: true }).fill("500.000")
    await dialog.getByLabel(words.keys.models).fill("gpt-*")
    assert.deepStrictEqual(await findViolations(page), [])
    await dialog.getByRole("button", { name: words.keys.save }).click()
    await page.getByText(words.keys.savedToast).waitFor()
    await page.getByText(language === "vi" ? "/ 500.000 ₫" : "of 500,000 ₫").waitFor()
    assert.strictEqual((await call(site.server, key)).status, 403)
    await edit()
    await dialog.getByLabel(words.keys.models).fill("")
    await dialog.getByRole("button", { name: words.keys.save }).click()
    await dialog.waitFor({ state: "detached" })
    await edit()
    await dialog.getByRole("button", { name: words.keys.pause }).click()
    await page.getByText(words.keys.pausedToast).waitFor()
    assert.strictEqual((await call(site.server, key)).status, 401)
    await edit()
    await dialog.getByRole("button", { name: words.keys.resume }).click()
    await page.getByText(words.keys.resumedToast).waitFor()
    await edit()
    await dialog.getByRole("button", { name: words.keys.rotate }).click()
    await dialog.getByLabel(words.auth.password).fill(testPassword)
    await dialog.getByRole("button", { name: words.keys.rotate }).click()
    const rotated = await dialog.getByTestId("secret").innerText()
    await dialog.getByRole("button", { name: words.common.done }).click()
    assert.deepStrictEqual(
      [(await call(site.server, key)).status, (await call(site.server, rotated)).status],
      [200, 200]
    )

    await page.getByRole("button", { name: words.keys.revoke, exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: words.keys.revoke }).click()
    await page.getByText(words.keys.revokedToast).waitFor()
    assert.strictEqual((await call(site.server, key)).status, 401)
    assert.deepStrictEqual(errors, [])
    await close()
  })

  it("is told in the form what is wrong with it", async () => {
    const { close, page } = await site.openPage(language)
    await page.getByRole("link", { name: words.auth.signUp }).click()
    await page.getByLabel(words.auth.email).fill("not an address")
    await page.getByLabel(words.auth.password, { exact: true }).fill("short")
    await page.getByRole("button", { name: words.auth.signUp }).click()
    for (const problem of [words.auth.required, words.auth.badEmail, words.auth.shortPassword]) {
      await page.getByText(problem, { exact: true }).waitFor()
    }
    await page.getByRole("link", { name: words.auth.signIn }).click()
    await page.getByLabel(words.auth.email).fill("nobody@example.com")
    await page.getByLabel(words.auth.password, { exact: true }).fill("wrong password")
    await page.getByRole("button", { name: words.auth.signIn }).click()
    await page.getByText(words.errors.codes.INVALID_EMAIL_OR_PASSWORD).waitFor()
    await close()
  })

  it("shows a key again with the password, changes the password, signs out, and comes back to the page they wanted", async () => {
    const { close, page } = await site.openPage(language)
    const email = `account-${language}@example.com`
    await signUp(page, words, email)
    const key = await createKey(page, words, "Laptop")
    await page.getByRole("button", { name: words.keys.reveal }).click()
    await page.getByRole("dialog").getByLabel(words.auth.password).fill("wrong password")
    await page.getByRole("dialog").getByRole("button", { name: words.keys.reveal }).click()
    await page.getByText(words.errors.codes.wrong_password).waitFor()
    await page.getByRole("dialog").getByLabel(words.auth.password).fill(testPassword)
    await page.getByRole("dialog").getByRole("button", { name: words.keys.reveal }).click()
    assert.strictEqual(await page.getByTestId("secret").innerText(), key)
    await page.keyboard.press("Escape")

    const account = language === "vi" ? vietnameseAccount : englishAccount
    await page.goto("/dashboard/account")
    await page.getByLabel(words.auth.currentPassword).fill(testPassword)
    await page.getByLabel(words.auth.newPassword).fill("a better password")
    await page.getByRole("button", { name: account.changePassword }).click()
    await page.getByText(account.changed).waitFor()
    await page.getByRole("button", { name: words.nav.signOut }).first().click()
    await page.getByRole("heading", { name: words.auth.signInTitle }).waitFor()

    await page.goto("/dashboard/usage")
    await page.getByLabel(words.auth.email).fill(email)
    await page.getByLabel(words.auth.password, { exact: true }).fill("a better password")
    await page.getByRole("button", { name: words.auth.signIn }).click()
    await page.getByRole("heading", { name: words.usage.title, level: 1 }).waitFor()
    await close()
  })

  it("asks for a new password, and sets it with the operator's link", async () => {
    const { close, page } = await site.openPage(language)
    const email = `forgot-${language}@example.com`
    await signUpPerson(site.server, email)
    const helper = await signUpOperator(site.server, `helper-${language}@example.com`)
    await page.getByRole("link", { name: words.auth.forgot }).click()
    await page.getByLabel(words.auth.email).fill(email)
    await page.getByRole("button", { name: words.newPassword.forgotSend }).click()
    await page.getByText(words.newPassword.forgotAsked).waitFor()

    // Whoever asks is answered before it is known whether there is such a person.
    const { id } = await until(async () => {
      const { reset_requests: waiting } = (await helper.get("/dashboard/api/operator/accounts")).body
      return waiting.find((account: { email: string }) => account.email === email)
    })
    const { link } = (await helper.post(`/dashboard/api/operator/accounts/${id}/reset-link`)).body
    await page.goto(link)
    await page.getByLabel(words.auth.newPassword).fill("remembered now")
    await page.waitForURL((url) => !url.href.includes("token"))
    await page.getByRole("button", { name: words.newPassword.resetSave }).click()
    await page.getByText(words.newPassword.resetDone).waitFor()
    await page.getByLabel(words.auth.email).fill(email)
    await page.getByLabel(words.auth.password, { exact: true }).fill("remembered now")
    await page.getByRole("button", { name: words.auth.signIn }).click()
    await page.getByRole("heading", { name: words.overview.title, level: 1 }).waitFor()
    await close()
  })

  it("finds a model by name and narrows the list", async () => {
    const { close, page } = await site.openPage(language)
    await page.goto("/dashboard/models")
    await page.getByText(words.models.count(catalogue.models.length)).waitFor()
    await page.getByLabel(words.models.search).fill("sonnet 5")
    await page.getByLabel(words.models.billing).selectOption({ label: words.models.billings.aws })
    await page.getByText(words.models.count(2)).waitFor()
    await page.getByLabel(words.models.search).fill("no such model")
    await page.getByRole("button", { name: words.models.clear }).click()
    await page.getByText(words.models.count(catalogue.models.length)).waitFor()
    await close()
  })
})

describe.each(languages)("an operator, in %s", (language, words, operator) => {
  it("credits, prices, assigns, maintains and disables, and running calls obey at once", async () => {
    const { close, page } = await site.openPage(language)
    const email = `operator-${language}@example.com`
    await signUp(page, words, email)
    await site.server.sql`update accounts set staff_role = 'owner' where email = ${email}`
    const key = await createKey(page, words, "Kiểm tra")
    assert.strictEqual((await call(site.server, key)).status, 402)
    await page.goto("/dashboard/operator/accounts")
    await page.getByLabel(operator.accounts.search).fill(email)
    await page.getByRole("link", { name: email, exact: true }).click()
    const credit = async (amount: string) => {
      await page.getByLabel(operator.accounts.amount).fill(amount)
      await page.getByLabel(operator.accounts.reason).fill("Khuyến mãi")
      await page.getByRole("button", { name: operator.accounts.review }).click()
    }
    await credit("12.345")
    await page.getByText(words.errors.ambiguousAmount("12345", "12.3450")).waitFor()
    await credit("250.000,5")
    const shown = language === "vi" ? "250.000,5 ₫" : "250,000.5 ₫"
    const change = operator.accounts.change(`+${shown}`, shown)
    assert.strictEqual(await page.getByRole("dialog").getByTestId("change").innerText(), change)
    assert.deepStrictEqual(await findViolations(page), [])
    assert.strictEqual((await call(site.server, key)).status, 402)
    await page.getByRole("dialog").getByRole("button", { name: operator.accounts.save }).click()
    await page.getByText(`${operator.accounts.saved}: ${change}`).waitFor()
    assert.strictEqual((await call(site.server, key)).status, 200)

    const edit = page.getByRole("button", { name: `${operator.prices.edit} claude-sonnet-5`, exact: true })
    const setPrice = async (price: string) => {
      await page.goto("/dashboard/operator/models")
      await page.getByLabel(words.models.search).fill("claude-sonnet-5")
      await edit.click()
      await page.getByRole("dialog").getByLabel(operator.prices.price).fill(price)
      await page.getByRole("dialog").getByRole("button", { name: operator.prices.save }).click()
      await page.getByText(operator.prices.saved).waitFor()
    }
    await setPrice(language === "vi" ? "13.000" : "13k")
    const costsAt = async (price: number) => {
      const made = await call(site.server, key)
      const [{ cost }] = await site.server.sql<[{ cost: string }]>`
        select cost_micro_vnd::text as cost from calls where id = ${made.requestId}`
      assert.strictEqual(formatVnd(BigInt(cost)), costOf(made, price))
    }
    await costsAt(13_000)
    // The list is read anew. With a zero too many it is shown back; whoever then leaves has set nothing.
    const dialog = page.getByRole("dialog")
    const [now, typo] = language === "vi" ? ["13.000 ₫", "130.000 ₫"] : ["13,000 ₫", "130,000 ₫"]
    await page.getByRole("row").filter({ has: edit }).getByText(now).waitFor()
    await edit.click()
    await dialog.getByLabel(operator.prices.price).fill("130000")
    await dialog.getByRole("button", { name: operator.prices.save }).click()
    await page.getByRole("dialog", { name: operator.prices.confirm }).waitFor()
    assert.include(await dialog.getByTestId("change").innerText(), `${now} → ${typo}`)
    assert.deepStrictEqual(await findViolations(page), [])
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await costsAt(13_000)
    await setPrice("")

    await tellTransfer(site.server, { id: `${language}-1`, content: "khong co ma", transferAmount: 77_000 })
    await page.goto("/dashboard/operator/transfers")
    await page.getByRole("button", { name: operator.transfers.assign, exact: true }).first().click()
    await page.getByRole("dialog").getByLabel(operator.transfers.account).fill(email)
    await page.getByRole("dialog").getByLabel(operator.accounts.reason).fill("Khách báo qua điện thoại")
    await page.getByRole("dialog").getByRole("button", { name: operator.transfers.assign }).click()
    await page.getByText(operator.transfers.assigned).waitFor()
    await page.getByText(operator.transfers.noneUnmatched).waitFor()

    const switchMaintenance = async (name: string) => {
      await page.goto("/dashboard/operator")
      await page.getByRole("button", { name }).click()
      await page.getByRole("dialog").getByRole("button", { name }).click()
      await page.getByRole("dialog").waitFor({ state: "detached" })
    }
    await switchMaintenance(operator.service.turnOn)
    assert.strictEqual((await call(site.server, key)).status, 503)
    await switchMaintenance(operator.service.turnOff)
    assert.strictEqual((await call(site.server, key)).status, 200)

    const live = await page.evaluate(
      "fetch('/dashboard/api/operator/service').then((answer) => answer.json()).then(({ live }) => live)"
    )
    assert.containsAllKeys(live, ["open_calls", "held_vnd", "calls_per_minute"])

    const other = await signUpPerson(site.server, `disabled-${language}@example.com`)
    const otherKey = (await other.post("/dashboard/api/keys", { name: "a", rate_limit_per_minute: 0 })).body
      .key
    assert.strictEqual((await call(site.server, otherKey)).status, 402)
    await page.goto("/dashboard/operator/accounts")
    await page.getByRole("link", { name: `disabled-${language}@example.com` }).click()
    await page.getByRole("button", { name: operator.accounts.disable }).click()
    await page.getByRole("dialog").getByRole("button", { name: operator.accounts.disable }).click()
    await page.getByText(operator.accounts.changed).waitFor()
    assert.strictEqual((await call(site.server, otherKey)).status, 401)

    await page.goto("/dashboard/operator/audit")
    await page.getByRole("cell", { name: operator.audit.actions["wallet.credit"] }).first().waitFor()
    await page
      .getByRole("row", { name: operator.audit.actions["model.override"] })
      .getByText(operator.audit.names.former_price_vnd)
      .first()
      .waitFor()
    await close()
  })
})
