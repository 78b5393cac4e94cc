/** Passkeys: adding them, signing in by them, confirming by them, and what is refused. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type { AccountId } from "../../src/domain/ids.ts"
import { removeSecondFactors } from "../../src/storage/people/second-factors.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { personOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { refusing } from "../storage/refuse-change.ts"
import { until } from "../until.ts"
import { SoftAuthenticator } from "./SoftAuthenticator.ts"

const api = "/dashboard/api"
const auth = `${api}/auth/passkey`

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard({ host: "localhost", environment: { OPERATORS_SECOND_FACTOR: "" } })
})
afterAll(() => dashboard.stop())

type Answer = Awaited<ReturnType<TestPerson["get"]>>
const codeIn = ({ body, status }: Answer) => [status, body.error?.code ?? body.code]
const age = (email: string) => dashboard.sql`
  update sessions set confirmed_at = now() - interval '11 minutes'
  where person_id = (select id from people where email = ${email})`

const askToAdd = async (person: TestPerson) =>
  (await person.post(`${auth}/register-options`, { password: testPassword })).body
const add = async (person: TestPerson, device = new SoftAuthenticator(dashboard.url)) => {
  const body = { ...device.create(await askToAdd(person)), name: "Máy tính" }
  const added = await person.post(`${auth}/verify-registration`, body)
  assert.deepStrictEqual([added.status, added.body], [200, { status: true }])
  return device
}
const askToUse = async (person: TestPerson) => (await person.post(`${auth}/options`)).body
const use = async (person: TestPerson, device: SoftAuthenticator) =>
  person.post(`${auth}/verify-authentication`, device.get(await askToUse(person)))

describe("a passkey", () => {
  it("is added by whoever knows the password, listed, and signs in alone", async () => {
    const owner = await signUpPerson(dashboard, "lan@example.com")
    for (const body of [{}, { password: "wrong password" }])
      assert.deepStrictEqual(codeIn(await owner.post(`${auth}/register-options`, body)), [
        403,
        "wrong_password"
      ])
    const device = await add(owner)
    assert.deepInclude(await personOf(owner), { has_passkey: true, has_second_factor: true })
    const { passkeys } = (await owner.get(`${api}/passkeys`)).body
    assert.deepStrictEqual(
      passkeys.map(({ name }: { name: string }) => name),
      ["Máy tính"]
    )
    const there = new TestPerson(dashboard)
    const used = await use(there, device)
    assert.deepStrictEqual([used.status, used.body], [200, { status: true }])
    assert.strictEqual((await personOf(there)).email, "lan@example.com")
    assert.strictEqual((await there.get(`${api}/overview`)).status, 200)
    const actions = await dashboard.sql`
      select action from audit_log where actor = (select id from people where email = 'lan@example.com')
        and action like 'person.passkey%'`
    assert.deepStrictEqual(
      actions.map((row) => row["action"]),
      ["person.passkey_add"]
    )
  })

  it("is not added where the database takes no line in the audit log", async () => {
    const owner = await signUpPerson(dashboard, "khong-so@example.com")
    const device = new SoftAuthenticator(dashboard.url)
    const body = { ...device.create(await askToAdd(owner)), name: "Máy tính" }
    const lost = await refusing(dashboard.sql, "insert on audit_log", () =>
      owner.post(`${auth}/verify-registration`, body)
    )
    assert.isAtLeast(lost.status, 500)
    assert.deepStrictEqual((await owner.get(`${api}/passkeys`)).body.passkeys, [])
  })

  it("lets nobody in where it is removed while it is used, as with all second factors of its person", async () => {
    const email = "mat-may@example.com"
    const device = await add(await signUpPerson(dashboard, email))
    const id = (await dashboard.sql`select id from people where email = ${email}`)[0]!["id"] as AccountId
    const thief = new TestPerson(dashboard)
    const answer = device.get(await askToUse(thief))
    const { using } = await dashboard.sql.begin(async (transaction) => {
      await transaction`lock table sessions in share row exclusive mode`
      const using = thief.post(`${auth}/verify-authentication`, answer)
      await until(async () => {
        const [row] = await dashboard.sql`
          select count(*)::int as count from pg_locks where relation = 'sessions'::regclass and not granted`
        return row!["count"] > 0
      })
      await removeSecondFactors(transaction, id, "op")
      return { using }
    })
    assert.deepStrictEqual(codeIn(await using), [401, "PASSKEY_NOT_FOUND"])
    assert.isUndefined(await personOf(thief))
    assert.lengthOf(await dashboard.sql`select from sessions where person_id = ${id}`, 0)
  })

  it("is asked for before anything final, also before it is removed, and counts in place of the password", async () => {
    const person = await signUpPerson(dashboard, "minh@example.com")
    const device = await add(person)
    const [{ id }] = (await person.get(`${api}/passkeys`)).body.passkeys
    await age("minh@example.com")
    const remove = () => person.post(`${api}/passkeys/${id}/remove`)
    assert.deepStrictEqual(codeIn(await remove()), [403, "confirm_needed"])
    assert.deepStrictEqual(
      codeIn(await person.post(`${auth}/register-options`, { password: testPassword })),
      [403, "confirm_needed"]
    )
    assert.strictEqual((await use(person, device)).status, 200)
    const [{ sessions }] = await dashboard.sql<[{ sessions: number }]>`
      select count(*)::int as sessions from sessions
      where person_id = (select id from people where email = 'minh@example.com')`
    assert.strictEqual(sessions, 1)
    assert.strictEqual((await remove()).status, 200)
    assert.deepInclude(await personOf(person), { has_passkey: false, has_second_factor: false })
    assert.deepStrictEqual(codeIn(await use(new TestPerson(dashboard), device)), [401, "PASSKEY_NOT_FOUND"])
  })

  it("stays where it is the only way in", async () => {
    const email = "mot-cach@example.com"
    const person = await signUpPerson(dashboard, email)
    await add(person)
    // As of whoever came by an account elsewhere, and has removed that.
    await dashboard.sql`
      delete from credentials where person_id = (select id from people where email = ${email})`
    const listed = async () => (await person.get(`${api}/passkeys`)).body.passkeys
    const [{ id }] = await listed()
    const remove = async (which: string) => codeIn(await person.post(`${api}/passkeys/${which}/remove`))
    assert.deepStrictEqual(await remove(id), [409, "last_way_in"])
    assert.deepStrictEqual(await remove("nobodys"), [404, "not_found"])
    await add(person)
    assert.deepStrictEqual(await remove(id), [200, undefined])
    const [{ id: last }] = await listed()
    assert.deepStrictEqual(await remove(last), [409, "last_way_in"])
  })

  it("is asked for as long as its challenge is good, and made for the same handle each time", async () => {
    const person = await signUpPerson(dashboard, "nhu-cu@example.com")
    const [first, second] = [await askToAdd(person), await askToAdd(person)]
    assert.strictEqual(first.user.id, second.user.id)
    assert.notStrictEqual(first.challenge, second.challenge)
    const other = await askToAdd(await signUpPerson(dashboard, "nguoi-la@example.com"))
    assert.notStrictEqual(first.user.id, other.user.id)
    assert.deepStrictEqual([first.timeout, (await askToUse(person)).timeout], [300_000, 300_000])
  })

  it("is an operator's second factor", async () => {
    const operator = await signUpOperator(dashboard, "van-hanh@example.com")
    const list = `${api}/operator/accounts`
    assert.deepStrictEqual(codeIn(await operator.get(list)), [403, "second_factor_needed"])
    const device = await add(operator)
    assert.strictEqual((await operator.get(list)).status, 200)
    const byPassword = new TestPerson(dashboard)
    await byPassword.signIn("van-hanh@example.com")
    assert.deepStrictEqual(codeIn(await byPassword.get(list)), [403, "confirm_needed"])
    assert.strictEqual((await use(byPassword, device)).status, 200)
    assert.strictEqual((await byPassword.get(list)).status, 200)
  })

  it("is one of ten at the most", async () => {
    const person = await signUpPerson(dashboard, "nhieu@example.com")
    const ready = await askToAdd(person)
    const cookie = person.cookie
    await dashboard.sql`insert into passkeys (id, public_key, person_id, credential_id, counter, device_type, backed_up)
      select 'p' || n, 'a', (select id from people where email = 'nhieu@example.com'), 'c' || n, 0, 'singleDevice', false
      from generate_series(1, 10) n`
    assert.deepStrictEqual(
      codeIn(await person.post(`${auth}/register-options`, { password: testPassword })),
      [409, "too_many_passkeys"]
    )
    const late = { ...new SoftAuthenticator(dashboard.url).create(ready), name: "Muộn" }
    assert.deepStrictEqual(codeIn(await person.post(`${auth}/verify-registration`, late, { cookie })), [
      409,
      "too_many_passkeys"
    ])
  })

  it("is not there where the public address is an IP address", async () => {
    const other = await startTestDashboard({ databaseUrl: dashboard.databaseUrl })
    try {
      const stranger = new TestPerson(other)
      assert.isNull((await stranger.get(`${api}/session`)).body.passkey_host)
      assert.deepStrictEqual(codeIn(await stranger.post(`${auth}/options`)), [404, "not_found"])
    } finally {
      await other.stop()
    }
  })
})

describe("what a passkey answers", () => {
  it("is refused for another origin, for a used challenge, and where nobody has shown who they are", async () => {
    const owner = await signUpPerson(dashboard, "tu-choi@example.com")
    const device = await add(owner)
    const person = new TestPerson(dashboard)
    const send = (body: object) => person.post(`${auth}/verify-authentication`, body)
    for (const lies of [{ origin: "https://tollgate.example" }, { origin: "http://localhost:1" }])
      assert.deepStrictEqual(codeIn(await send(device.get(await askToUse(person), lies))), [
        400,
        "AUTHENTICATION_FAILED"
      ])
    assert.deepStrictEqual(codeIn(await send(device.get(await askToUse(person), { isVerified: false }))), [
      401,
      "AUTHENTICATION_FAILED"
    ])
    assert.isUndefined(await personOf(person))
    const body = device.get(await askToUse(person))
    const { cookie } = person
    assert.strictEqual((await send(body)).status, 200)
    const thief = new TestPerson(dashboard)
    assert.deepStrictEqual(codeIn(await thief.post(`${auth}/verify-authentication`, body, { cookie })), [
      400,
      "CHALLENGE_NOT_FOUND"
    ])
    assert.deepStrictEqual(codeIn(await thief.post(`${auth}/verify-authentication`, body)), [
      400,
      "CHALLENGE_NOT_FOUND"
    ])
    for (const response of [undefined, "a", [], {}, { id: { in: [1] } }])
      assert.deepStrictEqual(codeIn(await send({ response })), [400, "invalid"])
  })

  it("is refused where it was signed by another key", async () => {
    const device = await add(await signUpPerson(dashboard, "chu-ky@example.com"))
    const person = new TestPerson(dashboard)
    const asked = await askToUse(person)
    const right = device.get(asked).response
    const wrong = new SoftAuthenticator(dashboard.url).get(asked).response
    const body = { response: { ...wrong, id: right.id, rawId: right.rawId } }
    assert.deepStrictEqual(codeIn(await person.post(`${auth}/verify-authentication`, body)), [
      401,
      "AUTHENTICATION_FAILED"
    ])
  })

  it("adds nothing for another origin, for somebody else's challenge, or unverified", async () => {
    const person = await signUpPerson(dashboard, "them@example.com")
    const other = await signUpPerson(dashboard, "nguoi-khac@example.com")
    const device = new SoftAuthenticator(dashboard.url)
    const send = (body: object) => person.post(`${auth}/verify-registration`, { ...body, name: "Máy" })
    assert.deepStrictEqual(
      codeIn(await send(device.create(await askToAdd(person), { origin: "https://tollgate.example" }))),
      [500, "FAILED_TO_VERIFY_REGISTRATION"]
    )
    assert.deepStrictEqual(codeIn(await send(device.create(await askToAdd(person), { isVerified: false }))), [
      401,
      "AUTHENTICATION_FAILED"
    ])
    const foreign = device.create(await askToAdd(other))
    await askToAdd(person)
    assert.deepStrictEqual(codeIn(await send(foreign)), [500, "FAILED_TO_VERIFY_REGISTRATION"])
    const theirs = device.create(await askToUse(person))
    assert.deepStrictEqual(codeIn(await send(theirs)), [400, "CHALLENGE_NOT_FOUND"])
    assert.deepStrictEqual((await person.get(`${api}/passkeys`)).body.passkeys, [])
  })
})
