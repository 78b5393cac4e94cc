/** What browsers and telephones do by themselves: passwords that they keep, what they make of what is typed, sizes of text. */
import { assert, describe, it } from "@effect/vitest"
import type { Locator } from "playwright-core"
import { beforeAll } from "vitest"
import { vietnamese as keyWords } from "../../src/dashboard/web/text/keys-vi.ts"
import { vietnamese as securityWords } from "../../src/dashboard/web/text/security-vi.ts"
import { signUpPerson, type TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { settle } from "./check-page.ts"
import { launchBrowser } from "./launch.ts"
import { openContext } from "./sign-in-context.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()
const email = "thoi-quen@example.com"
let person: TestPerson
beforeAll(async () => {
  person = await signUpPerson(site.dashboard, email)
})

/** What keyboards make of what is typed into it. */
const habits = (field: Locator) =>
  Promise.all(["autocapitalize", "autocorrect", "spellcheck"].map((name) => field.getAttribute(name)))
const none = ["none", "off", "false"]

describe("a password that is asked for by itself", () => {
  it("stands in a form that tells password managers whose it is, in a field of a type that they read", async () => {
    const { close, page } = await site.openPage("/account", person)
    const name = page.locator("form:has([autocomplete=current-password]) [autocomplete=username]")
    assert.deepStrictEqual(
      [await name.getAttribute("type"), await name.inputValue(), await name.isVisible()],
      ["text", email, false]
    )
    await close()
  })
})

describe("what programs read letter by letter", () => {
  it("is left by keyboards as it is typed: a key's models and addresses", async () => {
    const { close, page } = await site.openPage("/keys", person)
    await page.locator("main header button").click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText(keyWords.more).click()
    for (const label of [keyWords.models, keyWords.addresses])
      assert.deepStrictEqual(await habits(dialog.getByLabel(label, { exact: true })), none)
    assert.notDeepEqual(await habits(dialog.getByLabel(keyWords.name)), none)
    await close()
  })

  it("is left so where codes are typed that are kept for the day an app is lost", async () => {
    const { close, page } = await site.openPage("/account", person)
    await page.getByRole("button", { name: securityWords.setUp }).click()
    await page.locator("dialog input[type=password]").fill(testPassword)
    await page.getByRole("button", { name: securityWords.next }).click()
    assert.deepStrictEqual(await habits(page.getByLabel(securityWords.code)), none)
    await close()
  })
})

describe("text", () => {
  it("is as large as its person has set the browser to, and does not move a narrow page sideways", async () => {
    const browser = await launchBrowser({ args: ["--blink-settings=defaultFontSize=32"] })
    const viewport = { width: 390, height: 844 }
    const context = await openContext(browser, site.dashboard, person, { viewport })
    const page = await context.newPage()
    for (const path of ["/overview", "/usage", "/docs"]) {
      await page.goto(`/dashboard${path}`)
      await settle(page)
      const [size, width] = await page.evaluate<[string, number]>(
        "[getComputedStyle(document.documentElement).fontSize, document.documentElement.scrollWidth]"
      )
      assert.deepStrictEqual([path, size], [path, "32px"])
      assert.isAtMost(width, viewport.width, path)
    }
    await browser.close()
  })
})
