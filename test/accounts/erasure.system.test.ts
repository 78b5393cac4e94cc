/** Somebody asks to be forgotten: nothing names or reaches them any more, and the books stay. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type { AccountId } from "../../src/domain/ids.ts"
import { hashPassword } from "@better-auth/utils/password"
import { writePassword } from "../../src/storage/people/person-password.ts"
import { raiseCrossings } from "../../src/storage/alerts/AlertStore.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { actingFor, inviteTo, joinAccount } from "../dashboard/join-account.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { signUpOperator, signUpPerson, type TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { withSql } from "../storage/with-sql.ts"
import { until } from "../until.ts"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { enrol } from "./totp.ts"

const api = "/dashboard/api"
const address = "hoa.quen@example.com"

let dashboard: TestDashboard
let operator: TestPerson
let customer: TestPerson
let place: string
let accountId: string
beforeAll(async () => {
  dashboard = await startTestDashboard()
  operator = await signUpOperator(dashboard, "op@example.com")
  customer = await signUpPerson(dashboard, address, "Hoa Quen")
  accountId = await accountOf(customer)
  place = `${api}/operator/accounts/${accountId}`
})
afterAll(() => dashboard.stop())

const status = async (next: string) => (await operator.post(`${place}/status`, { status: next })).status
const erase = () => operator.post(`${place}/erase`)

/** The tables in which one of these texts stands, whatever its column. */
const tablesWith = async (...texts: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const tables = await dashboard.sql<Array<{ name: string }>>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await dashboard.sql.unsafe(
        `select exists (select from ${name} t where t::text ilike any ($1)) as is_there`,
        [texts.map((text) => `%${text}%`)]
      )
      return row!["is_there"] === true ? [name.replace("public.", "")] : []
    })
  )
  return found.flat().toSorted()
}

const secrets = [address, "Hoa Quen", "so 5 pho hue", "0312345678", "hooks.hoa", "203.0.113.77", "hoa laptop"]

const leave = async (path: string, body: object) => {
  const answer = await customer.post(`${api}/${path}`, body)
  assert.include([200, 201], answer.status, `${path}: ${answer.text}`)
}

/** All that a customer can leave of themselves. */
const liveHere = async () => {
  await leave("keys", {
    name: "Hoa laptop",
    rate_limit_per_minute: 0,
    allowed_ips: ["203.0.113.77"]
  })
  await leave("tokens", {
    name: "Hoa laptop",
    scopes: ["usage:read"],
    expires_at: Date.now() + 86_400_000,
    password: testPassword
  })
  const details = { company: "Hoa Quen", tax_code: "0312345678", address: "So 5 Pho Hue", email: address }
  await leave("billing", details)
  await leave("alerts/webhooks", { url: "https://hooks.hoa.example/x", kinds: ["balance.low"] })
  await joinAccount(dashboard, customer, "ban@example.com", "member")
  const other = await signUpPerson(dashboard, "chu@example.com")
  const token = await inviteTo(other, address, "admin")
  await leave("invitations/accept", { token })
  await spendBudgetAt(other)
  await enrol(customer)
}

/** Of which the other account is told by name. */
const spendBudgetAt = async (other: TestPerson) => {
  const otherId = await accountOf(other)
  const header = actingFor(otherId)
  await operator.post(`${api}/operator/accounts/${otherId}/credit`, {
    id: crypto.randomUUID(),
    amount_vnd: "1000",
    reason: "x"
  })
  const body = { budget_vnd: "1", budget_period: "total" }
  await other.post(`${api}/members/${accountId}/budget`, body)
  const key = await customer.post(`${api}/keys`, { name: "bot", rate_limit_per_minute: 0 }, header)
  await writeCalls(dashboard.databaseUrl, [sampleCall(otherId, key.body.id, 1, Date.now())])
  const raised = await dashboard.sql.begin((transaction) =>
    raiseCrossings(transaction, [otherId as AccountId], new Date())
  )
  assert.isAbove(raised.length, 0)
}

describe("erasing a person", () => {
  it("is refused while the account is active", async () => {
    const refused = await erase()
    assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "account_active"])
    assert.strictEqual((await operator.get(place)).body.account.is_erased, false)
  })

  it("leaves what names or reaches them in the audit log alone", async () => {
    await liveHere()
    assert.includeMembers(
      [...(await tablesWith(...secrets))],
      [
        "accounts",
        "alerts",
        "billing_details",
        "invitations",
        "keys",
        "management_tokens",
        "people",
        "webhook_endpoints"
      ]
    )
    assert.strictEqual(await status("disabled"), 200)
    assert.strictEqual((await erase()).status, 200)
    assert.deepStrictEqual(await tablesWith(...secrets), ["audit_log"])
    for (const table of ["sessions", "credentials", "two_factors", "passkeys"]) {
      const rows = await dashboard.sql`select from ${dashboard.sql(table)} where person_id = ${accountId}`
      assert.lengthOf(rows, 0, table)
    }
  })

  it("ends what they were to others, and shows operators that they are erased", async () => {
    assert.lengthOf(await dashboard.sql`select from members where ${accountId} in (account_id, person_id)`, 0)
    const { account, audit } = (await operator.get(place)).body
    assert.deepInclude(account, {
      email: `${accountId.toLowerCase()}@erased.invalid`,
      is_closed: true,
      is_erased: true,
      has_person: false,
      active_keys: 0
    })
    assert.strictEqual(audit[0].action, "account.erase")
  })

  it("is done once", async () => {
    assert.strictEqual((await erase()).status, 200)
    const lines = await dashboard.sql`select from audit_log where action = 'account.erase'`
    assert.lengthOf(lines, 1)
  })

  it("lets whoever has the address sign up anew, with an account of their own", async () => {
    const anew = await signUpPerson(dashboard, address)
    assert.notStrictEqual(await accountOf(anew), accountId)
  })

  it("keeps the books", async () => {
    const [wallet] = await dashboard.sql`select from wallets where account_id = ${accountId}`
    assert.isDefined(wallet)
    assert.strictEqual((await operator.get(`${place}/statement?from=2020-01-01`)).status, 200)
    assert.strictEqual((await operator.get(`${place}/keys`)).body.keys.length, 1)
  })

  it("is done once more of whoever was let in since", async () => {
    const email = `${accountId.toLowerCase()}@erased.invalid`
    assert.strictEqual(await status("active"), 200)
    assert.strictEqual((await operator.get(place)).body.account.is_erased, false)
    await writePassword(dashboard.sql, accountId as AccountId, await hashPassword(testPassword), "cli")
    assert.strictEqual((await customer.signIn(email)).status, 200)
    await leave("billing", {
      company: "Hoa Quen",
      tax_code: "0312345678",
      address: "So 5 Pho Hue",
      email: address
    })
    await leave("keys", { name: "Hoa laptop", rate_limit_per_minute: 0, allowed_ips: ["203.0.113.77"] })
    assert.strictEqual(await status("disabled"), 200)
    assert.strictEqual((await erase()).status, 200)
    const { is_erased: isErased, has_person: hasPerson } = (await operator.get(place)).body.account
    assert.deepStrictEqual([isErased, hasPerson], [true, false])
    assert.deepStrictEqual(await tablesWith("Hoa Quen", "hoa laptop", "203.0.113.77"), ["audit_log"])
  })

  it("does not come to be undone by a password that the command line gives meanwhile", async () => {
    const id = "acc_meanwhile" as AccountId
    await dashboard.sql`insert into accounts (id, email) values (${id}, 'giua-chung@example.com')`
    const giving = await dashboard.sql.begin(async (transaction) => {
      await transaction`update accounts set email = 'acc_meanwhile@erased.invalid' where id = ${id}`
      const given = withSql(dashboard.databaseUrl, (sql) => writePassword(sql, id, "hash", "cli"))
      await until(async () => {
        const waiting = await transaction`select from pg_locks where not granted`
        return waiting.length > 0
      })
      return { given }
    })
    await giving.given
    const [person] = await dashboard.sql`select email from people where id = ${id}`
    assert.strictEqual(person!["email"], "acc_meanwhile@erased.invalid")
  })

  it("is for owners among operators alone", async () => {
    const support = await signUpOperator(dashboard, "help@example.com", "Help", "support")
    const answer = await support.post(`${place}/erase`)
    assert.deepStrictEqual([answer.status, answer.body.error.code], [403, "out_of_role"])
  })
})
