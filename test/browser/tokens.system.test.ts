/** A person makes a token, a program uses it through the gateway, and it ends when it is revoked. */
import { assert, describe, it } from "@effect/vitest"
import { english } from "../../src/dashboard/web/text/tokens-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/tokens-vi.ts"
import { english as englishAccount } from "../../src/dashboard/web/text/account-en.ts"
import { vietnamese as vietnameseAccount } from "../../src/dashboard/web/text/account-vi.ts"
import { testPassword } from "../dashboard/TestPerson.ts"
import { findViolations } from "./check-page.ts"
import { call, languages, signUp } from "./steps.ts"
import { useServer } from "./use-server.ts"

const site = useServer()

const ask = (token: string, path: string, body?: object) =>
  fetch(`${site.server.url}/api${path}`, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) })
  })

describe.each(languages)("a token, in %s", (language, words) => {
  const tokens = language === "vi" ? vietnamese : english
  const account = language === "vi" ? vietnameseAccount : englishAccount

  it("is made, shown once, used by a program, and revoked", async () => {
    const { close, errors, page } = await site.openPage(language)
    await signUp(page, words, `token-${language}@example.com`)
    await page.goto("/dashboard/account")
    await page.getByRole("link", { name: account.tokens }).click()
    await page.getByText(tokens.empty).waitFor()
    await page.getByRole("button", { name: tokens.create }).click()

    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: tokens.create }).click()
    await dialog.getByText(words.auth.required).first().waitFor()
    await dialog.getByLabel(tokens.name).fill("Báo cáo")
    await dialog.getByLabel("keys:write").check()
    assert.strictEqual(await dialog.getByLabel("operator:read").count(), 0)
    assert.deepStrictEqual(await findViolations(page), [])
    await dialog.getByLabel(words.auth.password).fill("wrong password")
    await dialog.getByRole("button", { name: tokens.create }).click()
    await dialog.getByText(words.errors.codes.wrong_password).waitFor()
    await dialog.getByLabel(words.auth.password).fill(testPassword)
    await dialog.getByRole("button", { name: tokens.create }).click()
    const token = await dialog.getByTestId("secret").innerText()
    assert.match(token, /^tg-mgmt-[0-9A-Za-z]{40}$/)
    await dialog.getByRole("button", { name: words.common.done }).click()

    assert.strictEqual((await ask(token, "/overview")).status, 200)
    assert.strictEqual((await ask(token, "/statement")).status, 403)
    const made = await ask(token, "/keys", { name: "of a program", rate_limit_per_minute: 0 })
    assert.strictEqual(made.status, 201)
    const { key } = (await made.json()) as { key: string }
    assert.strictEqual((await call(site.server, key)).status, 402)
    assert.strictEqual((await call(site.server, token)).status, 401)
    assert.strictEqual((await ask(key, "/overview")).status, 401)

    await page.reload()
    const row = page.getByRole("row", { name: "Báo cáo" })
    assert.include(await row.innerText(), "usage:read, keys:write")
    assert.notInclude(await row.innerText(), words.common.never)
    assert.notInclude(await page.content(), token)
    await row.getByRole("button", { name: tokens.revoke }).click()
    await dialog.getByRole("button", { name: tokens.revoke }).click()
    await page.getByText(tokens.revokedToast).waitFor()
    await page.getByText(tokens.former(1)).waitFor()
    assert.strictEqual((await ask(token, "/overview")).status, 401)
    assert.deepStrictEqual(
      errors.filter((error) => !error.includes("403")),
      []
    )
    await close()
  })
})

describe("the document", () => {
  it("is there for whoever asks", async () => {
    const answer = await fetch(`${site.server.url}/api/openapi.json`)
    assert.strictEqual(answer.status, 200)
    const { openapi, paths } = (await answer.json()) as { openapi: string; paths: object }
    assert.match(openapi, /^3\.1/)
    assert.property(paths, "/keys/{id}/rotate")
  })
})
