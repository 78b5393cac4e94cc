/** The audit log: names in place of ids, filters that meet, and all of it as a file that is safe to open. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, type TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let operator: TestPerson
let accountId: string
let keyId: string

beforeAll(async () => {
  dashboard = await startTestDashboard()
  operator = await signUpOperator(dashboard, "op@example.com")
  const customer = await signUpPerson(dashboard, "lan@example.com")
  accountId = await accountOf(customer)
  keyId = (await customer.post(`${api}/keys`, { name: "=cmd|' /C calc'!A0", rate_limit_per_minute: 0 })).body
    .id
  const credit = { amount_vnd: "1000", reason: "=1+1", id: crypto.randomUUID() }
  await operator.post(`${api}/operator/accounts/${accountId}/credit`, credit)
  await operator.post(`${api}/operator/accounts/${accountId}/keys/${keyId}/revoke`)
  const day = { expires_at: Date.now() + 86_400_000, password: testPassword }
  const { token } = (await operator.post(`${api}/tokens`, { name: "CI", scopes: ["operator:write"], ...day }))
    .body
  await fetch(`${dashboard.url}/api/operator/accounts/${accountId}/notes`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ text: "a" })
  })
  await customer.post(`${api}/alerts/webhooks`, { url: "https://lan.example/told", kinds: ["balance.low"] })
  await customer.post(`${api}/invitations`, { email: "an@example.com", role: "member" })
  await customer.post(`${api}/tokens`, { name: "Of Lan", scopes: ["usage:read"], ...day })
  await dashboard.sql`insert into audit_log (at, actor, action, subject)
    values ('2026-01-31 16:59:59Z', 'cli', 'setting.write', 'maintenance'), ('2026-01-31 17:00Z', 'cli', 'setting.write', 'maintenance')`
})
afterAll(() => dashboard.stop())

interface Entry {
  readonly action: string
  readonly actor: string
  readonly subject: string
  readonly subject_account: string | null
  readonly account: string | null
}

const list = async (query: string): Promise<ReadonlyArray<Entry>> => {
  const answer = await operator.get(`${api}/operator/audit?${query}`)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.body.entries
}
const actions = async (query: string) => (await list(query)).map(({ action }) => action)

describe("the audit log", () => {
  it("names people, keys and tokens, and leads to the account", async () => {
    const [revoked] = await list("action=key.revoke")
    assert.strictEqual(revoked?.actor, "op@example.com")
    assert.match(revoked?.subject ?? "", /^=cmd.* sk-tg-.*… ?.* · lan@example\.com$/)
    assert.strictEqual(revoked?.subject_account, accountId)
    const [noted] = await list("action=account.note")
    assert.deepInclude(noted, { actor: "op@example.com · CI", subject: "lan@example.com" })
    const [created] = await list("action=key.create")
    assert.strictEqual(created?.account, "lan@example.com")
  })

  it.each([
    ["webhook.create", /^https:\/\/lan\.example\/told · lan@example\.com$/],
    ["invitation.create", /^an@example\.com · lan@example\.com$/],
    ["token.create", /^Of Lan tg-mgmt-.*… ?.* · lan@example\.com$/]
  ])("names what a customer has, and leads to the customer: %s", async (action, subject) => {
    const [entry] = await list(`action=${action}&subject=lan@example.com`)
    assert.match(entry?.subject ?? "", subject)
    assert.strictEqual(entry?.subject_account, accountId)
  })

  it("is narrowed by who, what, to whom and when, each and all together", async () => {
    assert.deepStrictEqual(await actions("actor=OP@example.com"), [
      "account.note",
      "token.create",
      "key.revoke",
      "wallet.credit"
    ])
    assert.deepStrictEqual(await actions("actor=cli&from=2026-02-01&to=2026-02-01"), ["setting.write"])
    assert.deepStrictEqual(await actions("from=2026-01-31&to=2026-01-31&action=setting.write"), [
      "setting.write"
    ])
    assert.sameMembers(await actions("subject=lan@example.com"), [
      "account.note",
      "key.revoke",
      "wallet.credit",
      "key.create",
      "webhook.create",
      "invitation.create",
      "token.create"
    ])
    assert.deepStrictEqual(await actions(`subject=${keyId}&actor=op@example.com`), ["key.revoke"])
    assert.deepStrictEqual(await actions("subject=lan@example.com&action=token.revoke"), [])
  })

  it.each(["action=everything", "from=2026-02-30", "from=2026-02-02&to=2026-02-01", "before=x"])(
    "refuses %s",
    async (query) => {
      assert.strictEqual((await operator.get(`${api}/operator/audit?${query}`)).status, 400)
    }
  )

  it("names the models whose prices were changed, or were not after all", async () => {
    const { models } = (await operator.get(`${api}/operator/models`)).body
    const changes = ["claude-sonnet-5", "claude-opus-5"].map((id) => {
      const { price_vnd: former } = models.find((model: { readonly id: string }) => model.id === id)
      return { model: id, former_vnd: former, price_vnd: former + 1 }
    })
    const changed = await operator.post(`${api}/operator/price-changes`, {
      changes,
      from: Date.now() + 86_400_000
    })
    assert.strictEqual(changed.status, 200, changed.text)
    const { batch } = (await operator.get(`${api}/operator/price-changes`)).body.changes[0]
    await operator.post(`${api}/operator/price-changes/${batch}/cancel`)
    for (const action of ["price.change", "price.cancel"])
      assert.strictEqual((await list(`action=${action}`))[0]?.subject, "claude-opus-5 + 1")
  })

  it("comes as CSV whole, and no cell of it is a formula", async () => {
    await dashboard.sql`insert into audit_log (actor, action, subject)
      select 'cli', 'model.override', 'model-' || n from generate_series(1, 4500) as n`
    const answer = await operator.get(`${api}/operator/audit.csv?action=model.override`)
    assert.include(answer.headers.get("content-type"), "text/csv")
    const lines = answer.text.trimEnd().split("\r\n")
    assert.lengthOf(lines, 4_501)
    assert.include(lines[1], "model-4500")
    assert.include(lines.at(-1), "model-1,")
    const keys = (await operator.get(`${api}/operator/audit.csv?subject=${keyId}&sep=;`)).text
    assert.include(keys, ";'=cmd")
    assert.notMatch(keys, /(^|;)"?=/m)
  })
})
