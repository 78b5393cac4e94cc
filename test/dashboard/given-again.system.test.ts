/** What came to an end with a role or with whoever gave it, and is not good again where the role is given again. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { actingFor, inviteTo, joinAccount } from "./join-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let lan: TestPerson
let acting: Record<string, string>
beforeAll(async () => {
  dashboard = await startTestDashboard()
  lan = await signUpPerson(dashboard, "lan@example.com")
  acting = actingFor(await accountOf(lan))
})
afterAll(() => dashboard.stop())

describe("an invitation", () => {
  const inviteAs = async (admin: TestPerson, email: string): Promise<string> => {
    const answer = await admin.post(`${api}/invitations`, { email, role: "admin" }, acting)
    return answer.body.link.split("token=")[1]
  }

  it("ends with the removal of whoever sent it, also where they are invited again", async () => {
    const admin = await joinAccount(dashboard, lan, "admin@example.com", "admin")
    const token = await inviteAs(admin, "of-admin@example.com")
    await lan.post(`${api}/members/${await accountOf(admin)}/remove`, { revoke_keys: false })
    const again = await inviteTo(lan, "admin@example.com", "admin")
    assert.strictEqual((await admin.post(`${api}/invitations/accept`, { token: again })).status, 200)
    const friend = await signUpPerson(dashboard, "of-admin@example.com")
    assert.strictEqual((await friend.post(`${api}/invitations/accept`, { token })).status, 404)
  })

  it("ends with the account of whoever sent it, and the account's log tells that they went", async () => {
    const admin = await joinAccount(dashboard, lan, "closing@example.com", "admin")
    const id = await accountOf(admin)
    const token = await inviteAs(admin, "of-closing@example.com")
    assert.strictEqual((await admin.post(`${api}/person/close`, { password: testPassword })).status, 200)
    const { entries } = (await lan.get(`${api}/activity`)).body
    const told = entries.map(({ action, subject }: { action: string; subject: string }) => [action, subject])
    assert.deepInclude(told, ["member.leave", "closing@example.com"])
    const operator = await signUpOperator(dashboard, "opens-again@example.com")
    await operator.post(`${api}/operator/accounts/${id}/status`, { status: "active" })
    await admin.signIn("closing@example.com")
    const again = await inviteTo(lan, "closing@example.com", "admin")
    assert.strictEqual((await admin.post(`${api}/invitations/accept`, { token: again })).status, 200)
    const friend = await signUpPerson(dashboard, "of-closing@example.com")
    assert.strictEqual((await friend.post(`${api}/invitations/accept`, { token })).status, 404)
  })

  it("is worth nothing while whoever sent it is shut out", async () => {
    const admin = await joinAccount(dashboard, lan, "shut-out@example.com", "admin")
    const token = await inviteAs(admin, "second-self@example.com")
    await dashboard.sql`update accounts set status = 'disabled' where id = ${await accountOf(admin)}`
    const self = await signUpPerson(dashboard, "second-self@example.com")
    assert.strictEqual((await self.post(`${api}/invitations/accept`, { token })).status, 404)
  })
})

describe("a role in the staff", () => {
  it("ends tokens for operators where it is taken, which come to nothing when it is given again", async () => {
    const owner = await signUpOperator(dashboard, "owner@example.com")
    const mai = await signUpPerson(dashboard, "mai@example.com")
    const id = await accountOf(mai)
    const give = (role: string | null) => owner.post(`${api}/operator/accounts/${id}/role`, { role })
    await give("finance")
    const make = async (scope: string): Promise<string> => {
      const expiry = { expires_at: Date.now() + 86_400_000, password: testPassword }
      return (await mai.post(`${api}/tokens`, { name: scope, scopes: [scope], ...expiry })).body.token
    }
    const [ofOperator, ofAccount] = [await make("operator:read"), await make("usage:read")]
    const ask = async (token: string, path: string) =>
      (await new TestPerson(dashboard).get(`${api}${path}`, { authorization: `Bearer ${token}` })).status
    assert.strictEqual(await ask(ofOperator, "/operator/transfers"), 200)
    await give(null)
    await give("finance")
    assert.strictEqual(await ask(ofOperator, "/operator/transfers"), 401)
    assert.strictEqual(await ask(ofAccount, "/usage"), 200)
  })
})
