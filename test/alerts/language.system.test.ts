/** Alerts are mailed in a language that whoever reads them has chosen, or at least uses. */
import { assert, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { alertKinds } from "../../src/domain/alert-kinds.ts"
import { type AlertTests, startAlertTests } from "./start-alert-tests.ts"

const api = "/dashboard/api"

let tests: AlertTests
beforeAll(async () => {
  tests = await startAlertTests()
})
afterAll(() => tests.stop())

it("is that of the pages until the account has chosen one", async () => {
  const email = "reader@example.com"
  const { accountId, person } = await tests.openCustomer(email)
  const settings = async () => (await person.get(`${api}/alerts`)).body.settings
  const open = (accepted: string) => person.get(`${api}/session`, { "accept-language": accepted })
  assert.strictEqual((await settings()).language, "vi")
  await open("en-US,en;q=0.9")
  assert.strictEqual((await settings()).language, "en")
  await open("vi,en;q=0.5")
  assert.strictEqual((await settings()).language, "vi")
  person.setCookie("tollgate_language", "en")
  await open("vi,en;q=0.5")
  await tests.topUp(person, 100_000)
  await tests.look()
  await tests.spend(accountId, 85_000)
  await tests.look()
  const [, low] = await tests.mail.next(2, email)
  assert.include(low!.text, "You get this mail because")
  await person.post(`${api}/alerts`, { ...(await settings()), mail: [...alertKinds], language: "vi" })
  await open("en")
  assert.strictEqual((await settings()).language, "vi")
})
