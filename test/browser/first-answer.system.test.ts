/** From nothing to the first answer without leaving the page. */
import { assert, describe, it } from "@effect/vitest"
import { english } from "../../src/dashboard/web/text/docs-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/docs-vi.ts"
import { languages, signUp, topUp } from "./steps.ts"
import { useServer } from "./use-server.ts"

const site = useServer()

describe.each(languages)("somebody new, in %s", (language, words) => {
  const docs = language === "vi" ? vietnamese : english

  it("pays, is led to a first key, tries it, and is told what the answer cost", async () => {
    const { close, errors, page } = await site.openPage(language)
    await signUp(page, words, `first-${language}@example.com`)
    await page.getByRole("link", { name: words.overview.stepTopUp }).click()
    await topUp(page, words, site.server)
    await page.getByRole("link", { name: docs.firstKey }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel(words.keys.name).fill("Máy của tôi")
    await dialog.getByRole("button", { name: words.keys.create }).click()
    await dialog.getByText(docs.tryTitle).click()
    await dialog.getByLabel(docs.prompt).fill("Xin chào")
    await dialog.getByRole("button", { name: docs.send, exact: true }).click()
    const answer = dialog.getByTestId("answer")
    await answer.waitFor()
    assert.match(await answer.innerText(), /200[^]* ₫[^]*req_/)
    const id = /req_\w+/.exec(await answer.innerText())![0]
    await dialog.getByRole("button", { name: words.common.done }).click()

    // The key is still known to this page, and to no other.
    await page.getByRole("link", { name: words.nav.overview, exact: true }).first().click()
    await page.getByRole("link", { name: words.overview.connectAll }).click()
    await page.getByRole("button", { name: docs.tryAction }).click()
    await dialog.getByRole("button", { name: docs.send, exact: true }).click()
    await answer.waitFor()
    assert.include(await answer.innerText(), "200")
    await page.reload()
    assert.isFalse(await dialog.getByRole("button", { name: docs.send, exact: true }).isEnabled())
    await dialog.getByLabel(docs.yourKey).fill("sk-tg-none")
    await dialog.getByRole("button", { name: docs.send, exact: true }).click()
    await answer.waitFor()
    assert.include(await answer.innerText(), "401")

    const log = await page.evaluate(async (id) => {
      const response = await fetch(`/dashboard/api/calls?request_id=${id}`)
      return (await response.json()) as { readonly calls: ReadonlyArray<{ readonly status: number }> }
    }, id)
    assert.deepStrictEqual(
      log.calls.map(({ status }) => status),
      [200]
    )
    assert.deepStrictEqual(
      errors.filter((error) => !error.includes("401")),
      []
    )
    await close()
  })

  it("finds how each client is connected, in the words of the shell that is chosen", async () => {
    const { close, errors, page } = await site.openPage(language)
    await page.goto("/dashboard/docs")
    if (language === "en") await page.getByRole("heading", { name: english.title, level: 1 }).waitFor()
    await page.getByRole("tab", { name: "Claude Code" }).click()
    const code = page.getByRole("tabpanel").locator("code")
    await page.getByRole("button", { name: "PowerShell" }).click()
    assert.include(await code.innerText(), `$env:ANTHROPIC_BASE_URL = "${site.server.url}"`)
    await page.getByLabel(docs.model).selectOption("deepseek-v4-pro")
    assert.include(await code.innerText(), "--model deepseek-v4-pro")
    await page.getByLabel(docs.otherClients).selectOption({ label: "aider" })
    assert.include(await code.innerText(), "openai/deepseek-v4-pro")
    assert.match(await page.evaluate(async () => (await fetch("/openapi.json")).text()), /^\{"openapi":"3\.1/)
    assert.match(await page.evaluate(async () => (await fetch("/llms.txt")).text()), /^# Tollgate/)
    assert.deepStrictEqual(errors, [])
    await close()
  })
})
