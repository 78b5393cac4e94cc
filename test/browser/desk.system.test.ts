/** The operator's desk in the browser: somebody calls, is found by what they know, and is helped. */
import { assert, describe, it } from "@effect/vitest"
import { english as englishDesk } from "../../src/dashboard/web/text/desk-en.ts"
import { vietnamese as vietnameseDesk } from "../../src/dashboard/web/text/desk-vi.ts"
import { TestPerson } from "../dashboard/TestPerson.ts"
import { findViolations, settle } from "./check-page.ts"
import { call, languages, signUp } from "./steps.ts"
import { useServer } from "./use-server.ts"

const site = useServer()

describe.each(languages)("an operator, in %s", (language, words) => {
  const desk = language === "vi" ? vietnameseDesk : englishDesk

  it("finds a customer by a request id, sees the call, pauses and revokes the key that leaked, and notes it", async () => {
    const customer = new TestPerson(site.server)
    const email = `khach-${language}@example.com`
    await customer.signUp(email)
    const { id, key } = (await customer.post("/dashboard/api/keys", { name: "Lộ rồi", rate_limit: 0 })).body
    const refused = await call(site.server, key)
    assert.strictEqual(refused.status, 402)

    const { close, errors, page } = await site.openPage(language)
    const own = `desk-${language}@example.com`
    await signUp(page, words, own)
    await site.server.sql`update accounts set staff_role = 'support' where email = ${own}`
    await page.reload()
    const search = page.getByRole("search").getByLabel(words.nav.find)
    await search.fill(refused.requestId)
    await search.press("Enter")
    await page.getByRole("link", { name: refused.requestId }).click()
    const details = page.getByRole("dialog")
    await details.getByText(refused.requestId).waitFor()
    await details.getByText("402", { exact: true }).waitFor()
    await settle(page)
    assert.deepStrictEqual(await findViolations(page), [])
    await page.keyboard.press("Escape")

    // The whole key, as it was found somewhere, is looked for by its hint and stands in no address.
    await search.fill(key)
    await search.press("Enter")
    await page.getByRole("main").getByRole("link", { name: "Lộ rồi" }).waitFor()
    assert.notInclude(decodeURIComponent(page.url()), key.slice(10, -4))
    await page.getByRole("main").getByRole("link", { name: "Lộ rồi" }).click()
    const press = async (name: string) => {
      await page.getByRole("main").getByRole("button", { name }).click()
      await page.getByRole("dialog").getByRole("button", { name }).click()
    }
    await press(desk.keys.pause)
    await page.getByText(desk.keys.paused, { exact: true }).waitFor()
    assert.strictEqual((await call(site.server, key)).status, 401)
    await press(desk.keys.resume)
    await page.getByText(desk.keys.resumed, { exact: true }).waitFor()
    assert.strictEqual((await call(site.server, key)).status, 402)
    await press(words.keys.revoke)
    await page.getByText(words.keys.revokedToast).waitFor()
    assert.strictEqual((await call(site.server, key)).status, 401)
    const [row] = await site.server.sql`select status from keys where id = ${id}`
    assert.strictEqual(row?.["status"], "revoked")

    const overview = { name: desk.customer.viewNames.overview }
    await page.getByRole("main").getByRole("link", overview).click()
    await page.getByLabel(desk.notes.hint).fill("Key lộ trên GitHub, đã thu hồi.")
    await page.getByRole("button", { name: desk.notes.save }).click()
    await page.getByRole("listitem").getByText("Key lộ trên GitHub, đã thu hồi.").waitFor()
    // Money is not for support.
    assert.strictEqual(await page.getByRole("button", { name: words.keys.revoke }).count(), 0)
    assert.strictEqual(await page.locator("main form").count(), 1)
    assert.deepStrictEqual(errors, [])
    await close()
  })
})
