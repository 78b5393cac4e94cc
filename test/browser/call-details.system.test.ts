/** What a call's details say its cost was made of. */
import { assert, it } from "@effect/vitest"
import { vietnamese as words } from "../../src/dashboard/web/text/usage-vi.ts"
import { noExtras } from "../../src/domain/call.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpPerson } from "../dashboard/TestPerson.ts"
import { findViolations } from "./check-page.ts"
import { sampleCall, writeCalls } from "./sample-data.ts"
import { useDashboard } from "./use-dashboard.ts"

const site = useDashboard()

it("a call's details name the factor with each price that it multiplies, and say where another model has no name", async () => {
  const person = await signUpPerson(site.dashboard, "chi-tiet@example.com")
  const { id } = (await person.post("/dashboard/api/keys", { name: "Máy", rate_limit_per_minute: 0 })).body
  const other = {
    model: "",
    inputTokens: 7,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 1,
    perMtokVnd: 8_300,
    isApart: true
  }
  await writeCalls(site.dashboard.databaseUrl, [
    {
      ...sampleCall(await accountOf(person), id, 1, Date.now()),
      inputTokens: 100,
      outputTokens: 0,
      perMtokVnd: 6_500,
      cost: 788_040n,
      extras: { ...noExtras, tier: "us", factor: "1.1", others: [other] }
    }
  ])
  const { close, page } = await site.openPage("/usage", person)
  await page.getByRole("button", { name: words.details }).click()
  const details = page.getByRole("dialog")
  await details.getByText("6.500 ₫ / 1 triệu token × 1,1", { exact: true }).waitFor()
  const counted = words.otherCounted(words.unnamed, "7", "1")
  await details
    .getByText(`${counted} (${words.apart}), 8.300 ₫ / 1 triệu token × 1,1`, { exact: true })
    .waitFor()
  assert.deepStrictEqual(await findViolations(page), [])
  await close()
})
