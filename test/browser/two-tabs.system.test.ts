/** Two tabs of one browser, two people at one form, and answers that get lost on their way. */
import { assert, describe, it } from "@effect/vitest"
import type { BrowserContext, Page } from "playwright-core"
import { vietnamese as alertWords } from "../../src/dashboard/web/text/alerts-vi.ts"
import { vietnamese as keyWords } from "../../src/dashboard/web/text/keys-vi.ts"
import { vietnamese as securityWords } from "../../src/dashboard/web/text/security-vi.ts"
import { vietnamese as statementWords } from "../../src/dashboard/web/text/statement-vi.ts"
import { vietnamese } from "../../src/dashboard/web/text/vi.ts"
import { actingFor, joinAccount } from "../dashboard/join-account.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpPerson, type TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { settle } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { comeBack } from "./steps.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()
const api = "/dashboard/api"

const open = async (context: BrowserContext, path: string) => {
  const page = await context.newPage()
  await page.goto(`/dashboard${path}`)
  await settle(page)
  return page
}

const openAs = async (person: TestPerson, path: string) => {
  const context = await openContext(site.browser, site.dashboard, person)
  return { context, page: await open(context, path) }
}

const send = (page: Page) => page.locator("dialog button[type=submit]").click()

const beginKey = async (page: Page, name: string) => {
  await page.locator("main header button").click()
  await page.locator("dialog input").first().fill(name)
}

const namesOf = async (person: TestPerson, accountId = "") =>
  (await person.get(`${api}/keys`, actingFor(accountId))).body.keys.map(({ name }: { name: string }) => name)

/** An answer that waits for its release. */
const gate = () => {
  const { promise: opened, resolve: release } = Promise.withResolvers<void>()
  return { opened, release }
}

describe("a form from an older page", () => {
  it("writes back of a key what was changed in it alone", async () => {
    const person = await signUpPerson(site.dashboard, "khoa-cu@example.com")
    // Within a day, as programs may set it: the form knows days alone.
    const expiresAt = Date.now() + 100 * 86_400_000
    const { id } = (
      await person.post(`${api}/keys`, { name: "Khóa", budget_vnd: "500000", expires_at: expiresAt })
    ).body
    const { context, page } = await openAs(person, "/keys")
    await page.getByRole("button", { name: keyWords.edit, exact: true }).click()
    const meanwhile = {
      budget_vnd: "1000",
      budget_period: "day",
      allowed_ips: ["203.0.113.0/24"],
      paused: true
    }
    await person.post(`${api}/keys/${id}`, meanwhile)
    await page.locator("dialog input").first().fill("Tên mới")
    await send(page)
    await page.getByRole("dialog").waitFor({ state: "detached" })
    // What is shown then is what is so.
    await page.getByRole("row", { name: "Tên mới" }).getByText(keyWords.paused).waitFor()
    const [key] = (await person.get(`${api}/keys`)).body.keys
    assert.deepInclude(key, { ...meanwhile, name: "Tên mới", expires_at: expiresAt })

    await page.getByRole("button", { name: keyWords.edit, exact: true }).click()
    await person.post(`${api}/keys/${id}`, { name: "Tên khác" })
    await page.getByRole("dialog").getByLabel(keyWords.budget, { exact: true }).fill("2000")
    await send(page)
    await page.getByText("Tên khác").waitFor()
    const [after] = (await person.get(`${api}/keys`)).body.keys
    assert.deepInclude(after, { ...meanwhile, name: "Tên khác", budget_vnd: "2000" })
    await context.close()
  })

  it("writes back of alerts and billing details what was changed in it alone, and shows the rest as it is now", async () => {
    const person = await signUpPerson(site.dashboard, "bao-cu@example.com")
    const { context, page } = await openAs(person, "/alerts")
    await person.post(`${api}/alerts`, { email: "moi@example.com", balance_below_vnd: "90000", mail: [] })
    await page.getByLabel(alertWords.days).fill("9")
    await page.getByRole("button", { name: alertWords.save, exact: true }).click()
    await page.getByRole("status").getByText(alertWords.saved).waitFor()
    const changed = { email: "moi@example.com", balance_below_vnd: "90000", days_left: 9, mail: [] }
    assert.deepInclude((await person.get(`${api}/alerts`)).body.settings, changed)
    assert.strictEqual(await page.getByLabel(alertWords.email).inputValue(), "moi@example.com")
    assert.strictEqual(await page.locator("fieldset input:checked").count(), 0)

    const statement = await open(context, "/statement")
    await statement.getByRole("button", { name: statementWords.edit }).click()
    await person.post(`${api}/billing`, { tax_code: "0101234567", address: "Huế" })
    await statement.getByLabel(statementWords.company).fill("Công ty A")
    await send(statement)
    await statement.getByText("Công ty A", { exact: true }).waitFor()
    const { details } = (await person.get(`${api}/billing`)).body
    assert.deepStrictEqual(details, {
      company: "Công ty A",
      tax_code: "0101234567",
      address: "Huế",
      email: ""
    })
    await context.close()
  })
})

describe("a form that was opened", () => {
  it("by one person is not sent as another who signed in in the next window", async () => {
    const first = await signUpPerson(site.dashboard, "cua-so-mot@example.com", "Người Một")
    const second = await signUpPerson(site.dashboard, "cua-so-hai@example.com", "Người Hai")
    const { context, page } = await openAs(first, "/keys")
    await beginKey(page, "Khóa của Một")
    const other = await openContext(site.browser, site.dashboard, second)
    await context.addCookies(await other.cookies())
    await send(page)
    await page.getByRole("status").getByText(vietnamese.errors.codes.signed_in_anew).waitFor()
    await page.getByText("Người Hai").first().waitFor()
    assert.deepStrictEqual([await namesOf(first), await namesOf(second)], [[], []])
    await beginKey(page, "Khóa của Hai")
    await send(page)
    await page.getByTestId("secret").waitFor()
    assert.deepStrictEqual(await namesOf(second), ["Khóa của Hai"])
    await other.close()
    await context.close()
  })

  it.each(["late", "lost"])(
    "for one account goes there while the answer that it is another's turn is %s",
    async (how) => {
      const owner = await signUpPerson(site.dashboard, `chu-${how}@example.com`)
      const person = await joinAccount(site.dashboard, owner, `nguoi-${how}@example.com`, "admin")
      const theirs = await accountOf(owner)
      const { context, page } = await openAs(person, "/keys")
      await beginKey(page, "Của tôi")
      const { opened, release } = gate()
      await page.route("**/dashboard/api/session", async (route) => {
        if (how === "lost") return route.abort()
        await opened
        return route.continue()
      })
      // As the other tab leaves it.
      await page.evaluate(`localStorage.setItem("tollgate_account", ${JSON.stringify(theirs)})`)
      await comeBack(page)
      await send(page)
      await page.getByTestId("secret").waitFor()
      assert.deepStrictEqual([await namesOf(person), await namesOf(person, theirs)], [["Của tôi"], []])
      release()
      await context.close()
    }
  )

  it("for one account goes there once a second factor was shown, though it is another's turn by then", async () => {
    const owner = await signUpPerson(site.dashboard, "chu-xac-nhan@example.com")
    const person = await joinAccount(site.dashboard, owner, "nguoi-xac-nhan@example.com", "admin")
    const theirs = await accountOf(owner)
    const { context, page } = await openAs(person, "/keys")
    let asked = 0
    await page.route("**/dashboard/api/keys", (route) => {
      if (route.request().method() === "GET") return route.continue()
      asked += 1
      const refusal = { status: 403, json: { error: { code: "confirm_needed" } } }
      return asked === 1 ? route.fulfill(refusal) : route.continue()
    })
    await page.route("**/dashboard/api/session", async (route) => {
      const response = await route.fetch()
      const json = (await response.json()) as { readonly person: object }
      return route.fulfill({ response, json: { ...json, person: { ...json.person, has_totp: true } } })
    })
    await page.route("**/dashboard/api/auth/confirm", (route) => route.fulfill({ json: { status: true } }))
    await page.reload()
    await settle(page)
    await beginKey(page, "Của tôi")
    await send(page)
    const code = page.getByRole("dialog").getByLabel(securityWords.code)
    await code.waitFor()
    await page.evaluate(`localStorage.setItem("tollgate_account", ${JSON.stringify(theirs)})`)
    const answered = page.waitForResponse("**/dashboard/api/session")
    await comeBack(page)
    await answered
    await code.fill("123456")
    const made = page.waitForResponse((response) => response.status() === 201)
    await page.getByRole("button", { name: securityWords.confirm, exact: true }).click()
    await made
    assert.deepStrictEqual([await namesOf(person), await namesOf(person, theirs)], [["Của tôi"], []])
    await context.close()
  })

  it("is sent once, however often and quickly it is asked to", async () => {
    const person = await signUpPerson(site.dashboard, "hai-lan@example.com")
    const { context, page } = await openAs(person, "/keys")
    await beginKey(page, "Một lần")
    await page.evaluate(`{
      const form = document.querySelector("dialog form")
      form.requestSubmit()
      form.requestSubmit()
    }`)
    await page.getByTestId("secret").waitFor()
    assert.deepStrictEqual(await namesOf(person), ["Một lần"])
    await context.close()
  })
})

describe("the account that was switched to", () => {
  it("stays, though an older answer names the former one", async () => {
    const owner = await signUpPerson(site.dashboard, "chu-muon@example.com")
    const person = await joinAccount(site.dashboard, owner, "nguoi-muon@example.com", "admin")
    const theirs = await accountOf(owner)
    const { context, page } = await openAs(person, "/keys")
    const { opened, release } = gate()
    let asked = 0
    await page.route("**/dashboard/api/session", async (route) => {
      asked += 1
      if (asked > 1) return route.continue()
      const response = await route.fetch()
      await opened
      return route.fulfill({ response })
    })
    await comeBack(page)
    const choice = page.locator("select").first()
    await choice.selectOption(theirs)
    await page.waitForURL("**/dashboard/overview")
    const answered = page.waitForResponse("**/dashboard/api/session")
    release()
    await answered
    await settle(page)
    assert.strictEqual(await choice.inputValue(), theirs)
    assert.strictEqual(await page.evaluate(`localStorage.getItem("tollgate_account")`), theirs)
    await context.close()
  })
})

describe("an answer that breaks off", () => {
  it("is told as a connection that failed, and does not end the page", async () => {
    const person = await signUpPerson(site.dashboard, "dut-mang@example.com")
    const { context, page } = await openAs(person, "/models")
    let isCut = true
    await page.route("**/dashboard/api/keys", (route) =>
      isCut ? route.fulfill({ contentType: "application/json", body: '{"keys":[{"id":' }) : route.continue()
    )
    await page.getByRole("link", { name: vietnamese.nav.keys, exact: true }).first().click()
    await page.getByRole("alert").getByText(vietnamese.errors.network).waitFor()
    isCut = false
    await page.getByRole("button", { name: vietnamese.common.retry }).press("Enter")
    await page.getByText(keyWords.empty).waitFor()
    // The button that had it is gone.
    await page.locator("h1:focus").waitFor()
    await context.close()
  })

  it("after a key got a new secret: the next try does not end the one that programs use", async () => {
    const person = await signUpPerson(site.dashboard, "xoay-lai@example.com")
    const { id } = (await person.post(`${api}/keys`, { name: "Khóa" })).body
    const { context, page } = await openAs(person, "/keys")
    let asked = 0
    await page.route("**/dashboard/api/keys/*/rotate", async (route) => {
      asked += 1
      if (asked > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.getByRole("button", { name: keyWords.edit, exact: true }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: keyWords.rotate }).click()
    await dialog.locator("input[type=password]").fill(testPassword)
    await send(page)
    await dialog.getByText(vietnamese.errors.network).waitFor()
    await send(page)
    await dialog.getByText(keyWords.problems.secret_replaced).waitFor()
    const [row] = await site.dashboard.sql`select secret_number from keys where id = ${id}`
    assert.strictEqual(row?.["secret_number"], 1)
    await context.close()
  })

  it("or comes after its page was left does not change the address of the next", async () => {
    const person = await signUpPerson(site.dashboard, "di-tiep@example.com")
    await person.post(`${api}/keys`, { name: "Khóa" })
    const { context, page } = await openAs(person, "/usage?outcome=failed")
    await page.getByRole("link", { name: vietnamese.nav.keys, exact: true }).first().click()
    const { opened, release } = gate()
    await page.route("**/dashboard/api/keys/*", async (route) => {
      await opened
      return route.continue()
    })
    await page.getByRole("button", { name: keyWords.edit, exact: true }).click()
    await send(page)
    await page.goBack()
    await settle(page)
    release()
    await page.getByRole("status").getByText(keyWords.savedToast).waitFor()
    assert.match(page.url(), /\/usage\?outcome=failed$/)
    await context.close()
  })
})
