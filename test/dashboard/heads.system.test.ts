/** What stands in the heads of requests that browsers send, and nobody here has put there. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { signUpPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard()
})
afterAll(() => dashboard.stop())

/** As it stands in a head: a character for each byte. */
const bytesOf = (text: string) => Buffer.from(text).toString("latin1")

describe("a cookie that others have set on the same host", () => {
  it.each(["Nguyễn 😀!", "%zz%E0", '"a\\"b"', "__proto__"])(
    "(%s) signs nobody out and keeps nobody out",
    async (value) => {
      const email = `${crypto.randomUUID()}@example.com`
      const person = await signUpPerson(dashboard, email)
      person.setCookie("other", bytesOf(value))
      assert.strictEqual((await person.get(`${api}/session`)).status, 200)
      assert.strictEqual((await person.get(`${api}/keys`)).status, 200)
      assert.strictEqual((await person.signIn(email)).status, 200)
      const changed = { currentPassword: testPassword, newPassword: `${testPassword} 2` }
      assert.strictEqual((await person.post(`${api}/auth/change-password`, changed)).status, 200)
    }
  )
})

describe("an account that a query names", () => {
  it.each(["ễ", "a\nb", "\0"])("(%j) is nobody's, whatever stands there", async (name) => {
    const person = await signUpPerson(dashboard, `${crypto.randomUUID()}@example.com`)
    const query = new URLSearchParams({ "x-tollgate-account": name })
    assert.strictEqual((await person.get(`${api}/keys?${query}`)).status, 403)
    assert.deepStrictEqual(dashboard.warnings, [])
  })
})
