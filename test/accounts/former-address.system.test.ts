/** Whoever loses an address of theirs hears of it where they read their mail. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { type MailServer, startMailServer } from "../alerts/start-mail-server.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { signUpPerson, testPassword } from "../dashboard/TestPerson.ts"

const api = "/dashboard/api"

let mails: MailServer
let dashboard: TestDashboard
beforeAll(async () => {
  mails = await startMailServer()
  const environment = { SMTP_URL: mails.url, SMTP_FROM: "tollgate@example.com" }
  dashboard = await startTestDashboard({ environment })
})
afterAll(async () => {
  await dashboard.stop()
  mails.stop()
})

const linkTo = async (email: string): Promise<string> => {
  const text = (await mails.next(1, email)).at(-1)!.text.replaceAll("=\r\n", "")
  return /\?token=(?:3D)?(\w+)/.exec(text)![1]!
}

describe("a former address", () => {
  it.each([true, false])("is told that it is one where somebody had verified it (%s)", async (isVerified) => {
    const [former, email] = [`cu-${isVerified}@example.com`, `moi-${isVerified}@example.com`]
    const person = await signUpPerson(dashboard, former)
    const verify = async (token: string) => {
      assert.strictEqual((await person.post(`${api}/auth/verify-email`, { token })).status, 200)
    }
    const first = await linkTo(former)
    if (isVerified) await verify(first)
    await person.post(`${api}/person/email`, { email, password: testPassword })
    await verify(await linkTo(email))
    if (isVerified) assert.notInclude((await mails.next(2, former))[1]?.text, "moi-")
    else assert.lengthOf(await mails.next(1, former), 1)
  })
})
