/** Forms: what is typed in them, and where the focus is when they were refused. */
import { assert, describe, it } from "@effect/vitest"
import { vietnamese as keys } from "../../src/dashboard/web/text/keys-vi.ts"
import { vietnamese as paying } from "../../src/dashboard/web/text/paying-vi.ts"
import { vietnamese } from "../../src/dashboard/web/text/vi.ts"
import { emailLengthMax, passwordLengthMax } from "../../src/domain/field-limits.ts"
import { startOfNamedDay } from "../../src/domain/vietnam-days.ts"
import { signUpPerson } from "../dashboard/TestPerson.ts"
import { settle } from "./check-page.ts"
import { openContext } from "./sign-in-context.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()

describe("a mail address as long as one may be", () => {
  it.each(["/signin", "/signup", "/forgot"])("is typed whole at %s", async (path) => {
    const address = `${"a".repeat(emailLengthMax - "@example.com".length)}@example.com`
    const context = await openContext(site.browser, site.dashboard, undefined)
    const page = await context.newPage()
    await page.goto(`/dashboard${path}`)
    // A page takes the focus once it has come up, and what is typed until then goes with it.
    await page.locator("h1:focus").waitFor()
    const field = page.getByLabel(vietnamese.auth.email)
    await field.focus()
    await page.keyboard.insertText(address)
    assert.strictEqual(await field.inputValue(), address)
    await context.close()
  })
})

describe("a new password that is too long", () => {
  it.each(["/signup", "/reset"])("is refused at %s, not cut off without a word", async (path) => {
    const context = await openContext(site.browser, site.dashboard, undefined)
    const page = await context.newPage()
    await page.goto(`/dashboard${path}?token=${"a".repeat(32)}`)
    await page.locator("h1:focus").waitFor()
    if (path === "/signup") {
      await page.getByLabel(vietnamese.auth.name).fill("Lan")
      await page.getByLabel(vietnamese.auth.email).fill("mat-khau-dai@example.com")
    }
    await page.locator("input[type=password]").focus()
    await page.keyboard.insertText("k".repeat(passwordLengthMax + 1))
    await page.keyboard.press("Enter")
    await page.getByText(vietnamese.errors.codes.PASSWORD_TOO_LONG).waitFor()
    await context.close()
  })
})

describe("a form that is not whole", () => {
  it("takes the person to the first field that is wrong", async () => {
    const context = await openContext(site.browser, site.dashboard, undefined)
    const page = await context.newPage()
    await page.goto("/dashboard/signup")
    await page.getByLabel(vietnamese.auth.name).fill("Lan")
    await page.getByRole("button", { name: vietnamese.auth.signUp }).click()
    await page.locator("input[name=email]:focus").waitFor()
    await context.close()
  })

  it("says of an address that nobody could sign in with that it is none, and leaves out what nobody sees", async () => {
    const context = await openContext(site.browser, site.dashboard, undefined)
    const page = await context.newPage()
    await page.goto("/dashboard/signup")
    await page.locator("h1:focus").waitFor()
    await page.getByLabel(vietnamese.auth.name).fill("Từ")
    await page.getByLabel(vietnamese.auth.password, { exact: true }).fill("correct horse battery")
    const email = page.getByLabel(vietnamese.auth.email)
    await email.fill("từ@khach.example")
    await page.keyboard.press("Enter")
    await page.getByText(vietnamese.auth.badEmail).waitFor()
    await email.fill("tu@khach.example\u200b")
    await page.keyboard.press("Enter")
    await page.waitForURL((url) => !url.pathname.endsWith("/signup"))
    const people = await site.dashboard.sql`select email from people where name = 'Từ'`
    assert.deepStrictEqual([...people], [{ email: "tu@khach.example" }])
    await context.close()
  })

  it("or was refused keeps the focus where it was sent from", async () => {
    const context = await openContext(site.browser, site.dashboard, undefined)
    const page = await context.newPage()
    await page.goto("/dashboard/signin")
    await page.locator("h1:focus").waitFor()
    await page.getByLabel(vietnamese.auth.email).fill("khong-co@example.com")
    await page.getByLabel(vietnamese.auth.password, { exact: true }).fill("wrong password")
    const button = page.getByRole("button", { name: vietnamese.auth.signIn })
    await button.focus()
    await page.keyboard.press("Enter")
    await page.getByText(vietnamese.errors.codes.INVALID_EMAIL_OR_PASSWORD).waitFor()
    assert.isTrue(await button.evaluate((element) => element.matches(":focus")))
    await context.close()
  })

  it("lets an amount be mended in its middle without moving the cursor", async () => {
    const person = await signUpPerson(site.dashboard, "con-tro@example.com")
    const { close, page } = await site.openPage("/topup", person)
    await page.locator("h1:focus").waitFor()
    const field = page.getByLabel(paying.amount)
    await field.fill("1500000")
    await field.press("Home")
    await field.press("ArrowRight")
    await page.keyboard.type("23")
    assert.strictEqual(await field.inputValue(), "123500000")
    await field.blur()
    await settle(page)
    assert.strictEqual(await field.inputValue(), "123.500.000")
    await close()
  })
})

describe("a key's settings", () => {
  it("take a limit as people write thousands, and no date that is half typed for none", async () => {
    const person = await signUpPerson(site.dashboard, "gioi-han@example.com")
    const ends = startOfNamedDay("2028-01-01")
    await person.post("/dashboard/api/keys", { name: "CI", expires_at: ends })
    const { close, page } = await site.openPage("/keys", person)
    const dialog = page.getByRole("dialog")
    const save = dialog.getByRole("button", { name: keys.save, exact: true })
    const open = () => page.getByRole("button", { name: new RegExp(`^${keys.edit}`) }).click()
    const read = async () => {
      const [key] = (await person.get("/dashboard/api/keys")).body.keys
      return [key.rate_limit_per_minute, key.expires_at]
    }
    await open()
    const limit = dialog.getByLabel(keys.limit)
    await limit.fill("1e3")
    await save.click()
    await dialog.getByText(keys.limitBad).waitFor()
    await limit.fill("1.000")
    await save.click()
    await dialog.waitFor({ state: "detached" })
    assert.deepStrictEqual(await read(), [1_000, ends])
    await open()
    const day = dialog.getByLabel(keys.lastDay)
    await day.focus()
    await page.keyboard.press("Backspace")
    await save.click()
    await dialog.getByText(vietnamese.errors.codes.unfinished_date).waitFor()
    assert.isTrue(await day.evaluate((element) => element.matches(":focus")))
    await day.fill("20277-12-31")
    await save.click()
    await dialog.getByText(vietnamese.errors.codes.unfinished_date).waitFor()
    assert.deepStrictEqual(await read(), [1_000, ends])
    await day.fill("")
    await save.click()
    await dialog.waitFor({ state: "detached" })
    assert.deepStrictEqual(await read(), [1_000, null])
    await close()
  })
})
