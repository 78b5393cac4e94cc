/** What is sent again since its answer was lost, or twice at once, by two nodes: done once, told and logged so. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { inviteTo } from "./join-account.ts"
import { accountOf } from "./own-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { type Answer, signUpOperator, signUpPerson, TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"
/** Sessions of the one node hold on the other. */
const environment = { TOLLGATE_SEAL_KEY: Buffer.alloc(32, 7).toString("base64") }

let one: TestDashboard
let two: TestDashboard
let operator: TestPerson
beforeAll(async () => {
  one = await startTestDashboard({ environment })
  two = await startTestDashboard({ environment, databaseUrl: one.databaseUrl })
  operator = await signUpOperator(one, "op@example.com")
})
afterAll(async () => {
  await two.stop()
  await one.stop()
})

const onOther = (person: TestPerson): TestPerson => {
  const there = new TestPerson(two)
  for (const pair of person.cookie.split("; ")) there.setCookie(...(pair.split(/=(.*)/s) as [string, string]))
  return there
}

const atOnce = (person: TestPerson, path: string, body: object = {}): Promise<ReadonlyArray<Answer>> =>
  Promise.all([person, onOther(person)].map((each) => each.post(`${api}${path}`, body)))

const thrice = async (person: TestPerson, path: string, body: object = {}) => [
  ...(await atOnce(person, path, body)),
  await person.post(`${api}${path}`, body)
]

const statusesOf = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status)

const logged = async (action: string, subject: string): Promise<number> =>
  (await one.sql`select from audit_log where action = ${action} and subject = ${subject}`).length

describe("at once", () => {
  it("two secrets for an authenticator app are made one after the other", async () => {
    const person = await signUpPerson(one, "totp@example.com")
    const answers = await atOnce(person, "/auth/two-factor/enable", { password: testPassword })
    assert.deepStrictEqual(statusesOf(answers), [200, 200])
    assert.lengthOf(await one.sql`select from two_factors where person_id = ${await accountOf(person)}`, 1)
  })
})

describe("done once, whoever sends it again", () => {
  it("an invitation is accepted, until its member has left", async () => {
    const lan = await signUpPerson(one, "lan@example.com")
    const account = await accountOf(lan)
    const hoa = await signUpPerson(one, "hoa@example.com")
    const token = await inviteTo(lan, "hoa@example.com", "member")
    for (const { body, status } of await thrice(hoa, "/invitations/accept", { token }))
      assert.deepStrictEqual([status, body], [200, { account_id: account }])
    assert.lengthOf(await one.sql`select from audit_log where action = 'invitation.accept'`, 1)
    await hoa.post(`${api}/memberships/${account}/leave`)
    assert.strictEqual((await hoa.post(`${api}/invitations/accept`, { token })).status, 404)
  })

  it("prices are cancelled", async () => {
    const from = Date.now() + 86_400_000
    const asked = { models: ["gpt-5.5"], percent: "10", from }
    const { changes } = (await operator.post(`${api}/operator/price-changes/preview`, asked)).body
    const seen = changes.map(({ former_vnd, model, price_vnd }: Record<string, unknown>) => ({
      model,
      former_vnd,
      price_vnd
    }))
    const set = await thrice(operator, "/operator/price-changes", { changes: seen, from })
    assert.deepStrictEqual(statusesOf(set).toSorted(), [200, 409, 409])
    const { changes: listed } = (await operator.get(`${api}/operator/price-changes`)).body
    assert.lengthOf(listed, 1)
    const { batch } = listed[0]
    const cancelled = await thrice(operator, `/operator/price-changes/${batch}/cancel`)
    assert.deepStrictEqual(statusesOf(cancelled), [200, 200, 200])
    assert.strictEqual(await logged("price.cancel", batch), 1)
  })

  it("an account is disabled, and enabled", async () => {
    const id = await accountOf(await signUpPerson(one, "mai@example.com"))
    for (const [status, action] of [
      ["disabled", "account.disable"],
      ["active", "account.enable"]
    ] as const) {
      const answers = await thrice(operator, `/operator/accounts/${id}/status`, { status })
      assert.deepStrictEqual(statusesOf(answers), [200, 200, 200])
      assert.strictEqual(await logged(action, id), 1)
    }
  })

  it("an account is closed", async () => {
    const person = await signUpPerson(one, "closing@example.com")
    const id = await accountOf(person)
    await person.post(`${api}/keys`, { name: "k" })
    const answers = await thrice(person, "/person/close", { password: testPassword })
    assert.include(statusesOf(answers), 200)
    assert.strictEqual(answers[2]!.status, 401)
    assert.strictEqual(await logged("account.close", id), 1)
  })
})
