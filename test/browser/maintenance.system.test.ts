/** An announcement in the browser: written by an operator, seen by a customer in their language, and gone after maintenance. */
import { assert, describe, it } from "@effect/vitest"
import { english as englishWords } from "../../src/dashboard/web/text/maintenance-en.ts"
import { vietnamese as vietnameseWords } from "../../src/dashboard/web/text/maintenance-vi.ts"
import { vietnamText } from "../../src/domain/vietnam-days.ts"
import { findViolations, settle } from "./check-page.ts"
import { languages, signUp } from "./steps.ts"
import { useServer } from "./use-server.ts"

const site = useServer()

const vi = "Nâng cấp máy chủ lúc 22 giờ."
const en = "Servers are upgraded at 10 pm."

describe.each(languages)("an announcement, in %s", (language, words, operator) => {
  const ours = language === "vi" ? vietnameseWords : englishWords
  const said = language === "vi" ? vi : en

  it("is above every page of a customer until maintenance is turned off", async () => {
    const desk = await site.openPage(language)
    const own = `maintenance-${language}@example.com`
    await signUp(desk.page, words, own)
    await site.server.sql`update accounts set staff_role = 'owner' where email = ${own}`
    const customer = await site.openPage(language)
    await signUp(customer.page, words, `seen-${language}@example.com`)
    const banner = customer.page.getByRole("status").filter({ hasText: said })
    // Its time will be put forward.
    await customer.page.clock.install()
    await customer.page.goto("/dashboard/keys")
    await customer.page.getByRole("heading", { level: 1 }).waitFor()
    assert.strictEqual(await banner.count(), 0)

    await desk.page.goto("/dashboard/operator")
    await desk.page.getByRole("button", { name: ours.announce }).click()
    const dialog = desk.page.getByRole("dialog")
    await dialog.getByRole("button", { name: ours.save }).click()
    await dialog.getByText(ours.messageNeeded).waitFor()
    assert.deepStrictEqual(await findViolations(desk.page), [])
    await dialog.getByLabel(ours.message).fill(vi)
    await dialog.getByLabel(ours.messageEn).fill(en)
    const until = vietnamText(Date.now() + 86_400_000)
      .slice(0, 16)
      .replace(" ", "T")
    await dialog.getByLabel(ours.untilField).fill(until)
    await dialog.getByRole("button", { name: ours.save }).click()
    await desk.page.getByText(ours.saved).waitFor()
    await desk.page.getByRole("status").filter({ hasText: said }).waitFor()

    await customer.page.clock.fastForward("01:00")
    await banner.waitFor()
    const shown = await banner.innerText()
    assert.include(shown, ours.announcement)
    assert.include(shown, ours.until(""))
    assert.include(shown, until.slice(11))
    assert.deepStrictEqual(await findViolations(customer.page), [])
    await customer.page.getByRole("button", { name: words.common.language }).first().click()
    await customer.page
      .getByRole("status")
      .filter({ hasText: language === "vi" ? en : vi })
      .waitFor()
    await customer.page.getByRole("button", { name: language === "vi" ? "Tiếng Việt" : "English" }).click()

    await desk.page.getByRole("button", { name: operator.service.turnOn }).click()
    assert.strictEqual(
      await dialog.getByLabel(ours.message).inputValue(),
      vi,
      "it is said of maintenance, too"
    )
    assert.strictEqual(await dialog.getByLabel(ours.untilField).inputValue(), until)
    await dialog.getByRole("button", { name: operator.service.turnOn }).click()
    await dialog.waitFor({ state: "detached" })
    await customer.page.goto("/dashboard/status")
    await banner.filter({ hasText: ours.maintenance }).waitFor()
    assert.deepStrictEqual(await findViolations(customer.page), [])

    const guest = await site.openPage(language, undefined, "/status")
    await guest.page.getByRole("status").filter({ hasText: ours.maintenance }).getByText(said).waitFor()
    assert.deepStrictEqual(await findViolations(guest.page), [])
    await guest.close()

    await desk.page.getByRole("button", { name: operator.service.turnOff }).click()
    await dialog.getByRole("button", { name: operator.service.turnOff }).click()
    await dialog.waitFor({ state: "detached" })
    await desk.page.getByRole("status").filter({ hasText: said }).waitFor({ state: "detached" })
    await customer.page.goto("/dashboard/keys")
    await customer.page.getByRole("heading", { level: 1 }).waitFor()
    await settle(customer.page)
    assert.strictEqual(await banner.count(), 0)
    assert.deepStrictEqual([desk.errors, customer.errors], [[], []])
    await desk.close()
    await customer.close()
  })
})
