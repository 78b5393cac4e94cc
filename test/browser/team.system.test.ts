/** Somebody is invited, joins, makes a key, is seen as its maker, and is removed: two people in two browsers. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { english as englishAccount } from "../../src/dashboard/web/text/account-en.ts"
import { vietnamese as vietnameseAccount } from "../../src/dashboard/web/text/account-vi.ts"
import { english } from "../../src/dashboard/web/text/team-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/team-vi.ts"
import { testPassword } from "../dashboard/TestPerson.ts"
import { call, createKey, languages, signUp } from "./steps.ts"
import { useServer } from "./use-server.ts"

const site = useServer()

describe.each(languages)("a team, in %s", (language, words) => {
  const team = language === "vi" ? vietnamese : english
  const account = language === "vi" ? vietnameseAccount : englishAccount
  const ownerEmail = `owner-${language}@example.com`
  const memberEmail = `member-${language}@example.com`

  const openMembers = async (page: Page) => {
    await page.goto("/dashboard/account")
    await page.getByRole("link", { name: account.members }).click()
    await page.getByRole("heading", { name: team.title, level: 1 }).waitFor()
  }

  it("invites somebody, who joins and makes a key, and is removed with it", async () => {
    const owner = await site.openPage(language)
    await signUp(owner.page, words, ownerEmail)
    await openMembers(owner.page)
    await owner.page.getByRole("button", { name: team.invite }).click()
    const dialog = owner.page.getByRole("dialog")
    await dialog.getByRole("button", { name: team.send }).click()
    await dialog.getByText(words.auth.required).waitFor()
    await dialog.getByLabel(words.auth.email).fill(memberEmail)
    await dialog.getByRole("button", { name: team.send }).click()
    const link = await dialog.getByTestId("secret").innerText()
    await dialog.getByRole("button", { name: words.common.done }).click()
    await owner.page.getByText(memberEmail).waitFor()

    const member = await site.openPage(language)
    await member.page.goto(link)
    await member.page.getByRole("link", { name: words.auth.signUp }).click()
    await member.page.getByLabel(words.auth.name).fill("Thành viên Mai")
    await member.page.getByLabel(words.auth.email).fill(memberEmail)
    await member.page.getByLabel(words.auth.password, { exact: true }).fill(testPassword)
    await member.page.getByRole("button", { name: words.auth.signUp }).click()
    await member.page.getByText(team.joinIntro(ownerEmail, team.roles.member)).waitFor()
    await member.page.getByRole("button", { name: team.join, exact: true }).click()
    await member.page.getByText(team.youAre(team.roles.member)).first().waitFor()
    await member.page.getByRole("link", { name: words.nav.keys, exact: true }).first().waitFor()
    assert.strictEqual(await member.page.getByRole("link", { name: words.nav.statement }).count(), 0)
    const key = await createKey(member.page, words, "Máy của Mai")
    assert.strictEqual((await call(site.server, key)).status, 402)

    await owner.page.goto("/dashboard/keys")
    await owner.page.getByText(words.keys.madeBy(memberEmail)).waitFor()
    await openMembers(owner.page)
    const row = owner.page.getByRole("row", { name: memberEmail })
    await row.getByText(team.noBudget).waitFor()
    await owner.page.setViewportSize({ width: 360, height: 800 })
    for (const button of await row.getByRole("button").all())
      assert.isBelow((await button.boundingBox())!.height, 44, `${await button.innerText()} has one line`)
    await owner.page.setViewportSize({ width: 1280, height: 860 })
    await row.getByRole("button", { name: team.setBudget }).click()
    await dialog.getByLabel(words.keys.budget, { exact: true }).fill("0")
    await dialog.getByRole("button", { name: team.save }).click()
    await dialog.getByText(words.keys.budgetBad).waitFor()
    await dialog.getByLabel(words.keys.budget, { exact: true }).fill("500k")
    await dialog.getByLabel(words.keys.budgetPeriod).selectOption("week")
    await dialog.getByRole("button", { name: team.save }).click()
    await row.getByText(words.keys.periods.week.toLowerCase()).waitFor()
    await member.page.goto("/dashboard/keys")
    await member.page.getByText(words.keys.ownBudget).waitFor()
    await row.getByRole("button", { name: team.setBudget }).click()
    await dialog.getByLabel(words.keys.budget, { exact: true }).fill("")
    await dialog.getByRole("button", { name: team.save }).click()
    await row.getByText(team.noBudget).waitFor()
    await owner.page.setViewportSize({ width: 360, height: 800 })
    for (const button of await row.getByRole("button").all())
      assert.isBelow((await button.boundingBox())!.height, 44, `${await button.innerText()} has one line`)
    await owner.page.setViewportSize({ width: 1280, height: 860 })
    await row.getByRole("button", { name: team.remove }).click()
    await dialog.getByLabel(team.revokeKeys("1")).waitFor()
    await dialog.getByRole("button", { name: team.remove }).click()
    await owner.page.getByText(team.removed).waitFor()
    await row.waitFor({ state: "detached" })
    assert.strictEqual((await call(site.server, key)).status, 401)

    await member.page.getByRole("link", { name: words.nav.usage, exact: true }).first().click()
    await member.page.getByText(words.errors.codes.not_a_member).first().waitFor()
    await member.page.getByText(team.youAre(team.roles.member)).first().waitFor({ state: "detached" })
    assert.deepStrictEqual(owner.errors, [])
    assert.deepStrictEqual(
      member.errors.filter((error) => !error.includes("403")),
      []
    )
    await owner.close()
    await member.close()
  })
})
