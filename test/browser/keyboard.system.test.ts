/** Who has no mouse, sees little or uses a window as narrow as it is at 400 %: where the focus goes, and that it is seen. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { beforeAll } from "vitest"
import { vietnamese as alerts } from "../../src/dashboard/web/text/alerts-vi.ts"
import { vietnamese as docs } from "../../src/dashboard/web/text/docs-vi.ts"
import { vietnamese as keys } from "../../src/dashboard/web/text/keys-vi.ts"
import { vietnamese as team } from "../../src/dashboard/web/text/team-vi.ts"
import { vietnamese as words } from "../../src/dashboard/web/text/vi.ts"
import { signUpOperator, type TestPerson } from "../dashboard/TestPerson.ts"
import { fillAccount } from "./sample-data.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()
let person: TestPerson

beforeAll(async () => {
  person = await signUpOperator(site.dashboard, "ban-phim@example.com")
  await fillAccount(site.dashboard, person)
  await person.post("/dashboard/api/invitations", { email: "cho@example.com", role: "billing" })
})

const press = async (page: Page, ...keys: ReadonlyArray<string>) => {
  for (const key of keys) await page.keyboard.press(key)
}

const nothing = "document.activeElement === document.body"

/** What of the window's bars lies upon the middle of what has the focus. */
const covering = `(({ bottom, height, left, right, top }) => {
  const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  return height > 0 && over?.closest("nav, header") && !over.closest("nav, header").contains(document.activeElement)
    ? document.activeElement.outerHTML.slice(0, 120)
    : undefined
})(document.activeElement.getBoundingClientRect())`

describe("a table's column of buttons", () => {
  it.each(["/keys", "/members", "/operator/models"])("is told at %s as what it is", async (path) => {
    const { close, page } = await site.openPage(path, person)
    await page.getByRole("columnheader", { name: words.common.actions, exact: true }).waitFor()
    await close()
  })
})

describe("the focus", () => {
  it("is never under the bars of a narrow window", async () => {
    const { close, page } = await site.openPage("/usage", person)
    await page.setViewportSize({ width: 320, height: 640 })
    const covered: Array<unknown> = []
    for (const key of [...Array<string>(40).fill("Tab"), ...Array<string>(20).fill("Shift+Tab")]) {
      await press(page, key)
      covered.push(await page.evaluate(covering))
    }
    assert.deepStrictEqual(
      covered.filter((element) => element !== undefined),
      []
    )
    await close()
  })

  it("stays on the button that asks for more while more comes, and goes to the first of what came last", async () => {
    let release = () => {}
    const hold = (page: Page) =>
      page.route("**/api/calls?*before=*", async (route) => {
        await new Promise<void>((resolve) => (release = resolve))
        await route.continue()
      })
    const { close, page } = await site.openPage("/usage", person, hold)
    const rows = page.locator("table.compact tbody tr")
    const former = await rows.count()
    await page.getByRole("button", { name: words.common.more }).focus()
    const request = page.waitForRequest("**/api/calls?*before=*")
    await press(page, "Enter")
    await request
    await page.locator("button:focus[aria-disabled=true]").getByText(words.common.more).waitFor()
    release()
    await rows.nth(former).waitFor()
    await page.locator(`table.compact tbody tr:nth-child(${former + 1}):focus`).waitFor()
    await close()
  })

  it("goes to the page's title when the row goes that a dialog was opened from", async () => {
    const { close, page } = await site.openPage("/members", person)
    await page.getByRole("button", { name: team.withdraw }).focus()
    await press(page, "Enter", "Tab", "Enter")
    await page.locator("main li", { hasText: "cho@example.com" }).waitFor({ state: "detached" })
    await page.locator("h1:focus").waitFor()
    await close()
  })

  it("stays in a dialog whose form gives way to its answer", async () => {
    const { close, page } = await site.openPage("/keys", person)
    await page.getByRole("button", { name: keys.create }).focus()
    await press(page, "Enter")
    await page.keyboard.type("Chỉ bằng bàn phím")
    await press(page, "Enter")
    await page.getByTestId("secret").waitFor()
    await page.locator("dialog :focus").waitFor()
    await press(page, "Escape")
    await page.locator("dialog").waitFor({ state: "detached" })
    assert.strictEqual(await page.evaluate("document.activeElement.innerText"), keys.create)
    await close()
  })

  it("goes to the field that the server refuses", async () => {
    const refuse = (page: Page) =>
      page.route("**/api/alerts/webhooks", (route) =>
        route.fulfill({ status: 400, json: { error: { code: "webhook_url" } } })
      )
    const { close, page } = await site.openPage("/alerts", person, refuse)
    await page.getByRole("button", { name: alerts.add }).focus()
    await press(page, "Enter")
    await page.keyboard.type("https://example.com/hook")
    await page.getByRole("dialog").getByRole("button", { name: alerts.add }).focus()
    await press(page, "Enter")
    await page.locator("input:focus[aria-invalid=true]").waitFor()
    await close()
  })

  it("goes to the next page's title from the menu, which closes", async () => {
    const { close, page } = await site.openPage("/overview", person)
    await page.setViewportSize({ width: 640, height: 640 })
    await page.getByRole("button", { name: words.common.menu }).focus()
    await press(page, "Enter")
    await page.getByRole("dialog").getByRole("link", { name: words.nav.statement, exact: true }).focus()
    await press(page, "Enter")
    await page.locator("dialog").waitFor({ state: "detached" })
    await page.locator("h1:focus").getByText(words.nav.statement).waitFor()
    assert.isFalse(await page.evaluate(nothing))
    await close()
  })
})

describe("a form", () => {
  it("shows why it could not be sent where it is longer than the window, and keeps what was typed", async () => {
    const { close, page } = await site.openPage("/keys", person)
    await page.setViewportSize({ width: 320, height: 400 })
    await page.getByRole("button", { name: keys.create }).focus()
    await press(page, "Enter")
    await page.keyboard.type("Giữ lại")
    const dialog = page.getByRole("dialog")
    await dialog.getByText(keys.more).focus()
    await press(page, "Enter")
    await dialog.getByRole("button", { name: keys.create }).focus()
    await page.context().setOffline(true)
    await press(page, "Enter")
    await dialog.getByRole("alert").waitFor()
    assert.isAtLeast((await dialog.getByRole("alert").boundingBox())!.y, 0)
    assert.strictEqual(await dialog.getByLabel(keys.name).inputValue(), "Giữ lại")
    await close()
  })

  it("of a call sends it once, however often Enter is pressed, and not without a key", async () => {
    let calls = 0
    const hold = (page: Page) => page.route("**/v1/messages", () => {})
    const { close, page } = await site.openPage("/docs", person, hold)
    await page.getByRole("button", { name: docs.tryAction }).focus()
    await press(page, "Enter")
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel(docs.yourKey).focus()
    await press(page, "Enter")
    await page.locator("input:focus[aria-invalid=true]").waitFor()
    await page.keyboard.type("sk-tg-none")
    page.on("request", (request) => request.url().endsWith("/v1/messages") && calls++)
    const request = page.waitForRequest("**/v1/messages")
    await press(page, "Enter", "Enter")
    await request
    await dialog.getByRole("button", { name: docs.sending }).waitFor()
    await press(page, "Enter")
    await page.evaluate("new Promise(requestAnimationFrame)")
    assert.strictEqual(calls, 1)
    await close()
  })
})

describe("forced colours", () => {
  it("tell what is chosen from what is not", async () => {
    const { close, page } = await site.openPage("/usage", person)
    await page.emulateMedia({ forcedColors: "active" })
    const widths = await page.evaluate(
      `["[aria-pressed=true]", "[aria-pressed=false]", "aside [aria-current=page]", "aside li a:not([aria-current])"]
        .map((chosen) => getComputedStyle(document.querySelector(chosen)).borderTopWidth)`
    )
    assert.deepStrictEqual(widths, ["2px", "0px", "2px", "0px"])
    await close()
  })

  it("tell which tab is chosen, and a list to choose from", async () => {
    const { close, page } = await site.openPage("/docs", person)
    await page.emulateMedia({ forcedColors: "active" })
    const looks = await page.evaluate(
      `["[role=tab][aria-selected=true]", "[role=tab][aria-selected=false]", "main select"]
        .map((name) => getComputedStyle(document.querySelector(name)))
        .map(({ appearance, borderTopWidth }, index) => (index === 2 ? appearance : borderTopWidth))`
    )
    assert.deepStrictEqual(looks, ["2px", "0px", "auto"])
    await close()
  })

  it("leave theirs to what is told by colour alone", async () => {
    const { close, page } = await site.openPage("/keys", person)
    await page.emulateMedia({ forcedColors: "active" })
    // How many of the keys that may be are used.
    const colours = await page.evaluate<ReadonlyArray<string>>(
      `[...document.querySelectorAll("main span[aria-hidden=true] > span:empty")]
        .map((place) => getComputedStyle(place).backgroundColor)`
    )
    assert.notStrictEqual(colours[0], colours.at(-1))
    await close()
  })

  it("leave theirs to the parts of a chart's bars", async () => {
    const { close, page } = await site.openPage("/usage?stack=model", person, (page) =>
      page.emulateMedia({ forcedColors: "active" })
    )
    await page.locator("main canvas").waitFor()
    const colours = await page.evaluate<number>(`{
      const { height, width } = document.querySelector("main canvas")
      const { data } = document.querySelector("main canvas").getContext("2d").getImageData(0, 0, width, height)
      const greens = Array.from({ length: width * height }, (_, place) => [...data.slice(4 * place, 4 * place + 4)])
        .filter(([red, green, , alpha]) => alpha === 255 && green > red)
      new Set(greens.map(String)).size
    }`)
    assert.isAbove(colours, 1)
    await close()
  })
})
