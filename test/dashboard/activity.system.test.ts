/** What an account reads of the audit log: all that was done in it, by whom, and nothing of others. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { activities } from "../../src/domain/account-activities.ts"
import { auditActions } from "../../src/domain/audit-actions.ts"
import { actingFor, joinAccount } from "./join-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, type TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let lan: TestPerson
let admin: TestPerson
let operator: TestPerson
let account: string
let adminId: string
beforeAll(async () => {
  dashboard = await startTestDashboard()
  lan = await signUpPerson(dashboard, "lan@example.com")
  operator = await signUpOperator(dashboard, "operator@example.com")
  account = await accountOf(lan)
  admin = await joinAccount(dashboard, lan, "admin@example.com", "admin")
  adminId = await accountOf(admin)
})
afterAll(() => dashboard.stop())

interface Entry {
  readonly actor: string | null
  readonly action: string
  readonly subject: string
  readonly detail: object
}

const read = async (person: TestPerson, query = ""): Promise<ReadonlyArray<Entry>> =>
  (await person.get(`${api}/activity${query}`, actingFor(account))).body.entries

const told = (entries: ReadonlyArray<Entry>) =>
  entries.map(({ action, actor, subject }) => [action, actor, subject])

describe("the log of an account", () => {
  it("tells what each did, by names, with the newest first, and is narrowed to a person and a kind", async () => {
    const header = actingFor(account)
    const key = (await admin.post(`${api}/keys`, { name: "Máy chủ", rate_limit_per_minute: 0 }, header)).body
    const token = await admin.post(
      `${api}/tokens`,
      { name: "CI", scopes: ["keys:write"], expires_at: Date.now() + 86_400_000, password: testPassword },
      header
    )
    await fetch(`${dashboard.url}/api/keys/${key.id}/revoke`, {
      method: "POST",
      headers: { authorization: `Bearer ${token.body.token}` }
    })
    const hook = { url: "https://lan.example/hook", kinds: [] }
    const { id } = (await lan.post(`${api}/alerts/webhooks`, hook)).body
    await lan.post(`${api}/alerts/webhooks/${id}/delete`)
    assert.deepStrictEqual(told(await read(lan)), [
      ["webhook.delete", "lan@example.com", "lan@example.com"],
      ["key.revoke", "admin@example.com · CI", "Máy chủ"],
      ["token.create", "admin@example.com", "CI"],
      ["key.create", "admin@example.com", "Máy chủ"],
      ["invitation.accept", "admin@example.com", "admin@example.com"],
      ["invitation.create", "lan@example.com", "admin@example.com"]
    ])
    assert.deepStrictEqual(told(await read(admin)), told(await read(lan)))
    assert.deepStrictEqual(
      (await read(lan, `?person=${adminId}&kind=keys`)).map(({ action }) => action),
      ["key.revoke", "key.create"]
    )
    assert.deepStrictEqual(
      (await read(lan, "?kind=alerts")).map(({ action }) => action),
      ["webhook.delete"]
    )
    assert.deepStrictEqual(await read(lan, "?person=acc_none"), [])
  })

  it("tells of operators what they did, and neither who nor why", async () => {
    const credit = { amount_vnd: "1000", reason: "between operators", id: crypto.randomUUID() }
    const answer = await operator.post(`${api}/operator/accounts/${account}/credit`, credit)
    assert.strictEqual(answer.status, 200, answer.text)
    const [entry] = await read(lan)
    assert.deepStrictEqual([entry!.action, entry!.actor, entry!.detail], ["wallet.credit", null, {}])
    const { text } = await lan.get(`${api}/activity`)
    assert.notInclude(text, "operator@example.com")
    assert.notInclude(text, "between operators")
  })

  it("has nothing of what a member does elsewhere, or of what they change about themselves", async () => {
    await admin.post(`${api}/keys`, { name: "elsewhere", rate_limit_per_minute: 0 })
    const third = await joinAccount(dashboard, admin, "third@example.com", "member")
    await admin.post(`${api}/members/${await accountOf(third)}`, { role: "billing" })
    await admin.post(`${api}/person/name`, { name: "Another name" })
    await lan.post(`${api}/person/name`, { name: "Lan Anh" })
    const before = await read(lan)
    assert.isFalse(before.some(({ subject }) => subject === "elsewhere" || subject.startsWith("third@")))
    assert.isFalse(before.some(({ action }) => action.startsWith("person.")))
    const { entries } = (await admin.get(`${api}/activity`)).body
    assert.deepStrictEqual(
      entries.map(({ action }: Entry) => action),
      ["member.role", "invitation.accept", "invitation.create", "key.create"]
    )
  })

  it("goes on page by page", async () => {
    for (let made = 0; made < 30; made++) {
      const { id } = (await lan.post(`${api}/keys`, { name: `k${made}`, rate_limit_per_minute: 0 })).body
      await lan.post(`${api}/keys/${id}/revoke`)
    }
    const first = (await lan.get(`${api}/activity?kind=keys`)).body
    assert.lengthOf(first.entries, 50)
    const second = (await lan.get(`${api}/activity?kind=keys&before=${first.next}`)).body
    assert.lengthOf(second.entries, 12)
    assert.isNull(second.next)
  })

  it("names only actions that are written down, and each once", () => {
    const all = Object.values(activities).flat()
    assert.strictEqual(new Set(all).size, all.length)
    assert.includeMembers([...auditActions], all)
  })
})
