/** Codes of an authenticator app: signing in, confirming, and what operators are not let into without. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll, onTestFinished } from "vitest"
import { operatorScopes } from "../../src/domain/management-scopes.ts"
import { bodies } from "../dashboard/bodies.ts"
import { endpoints } from "../dashboard/endpoints.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf, personOf, balanceVndOf } from "../dashboard/own-account.ts"
import {
  signUpOperator,
  signUpPerson,
  tellTransfer,
  TestPerson,
  testPassword
} from "../dashboard/TestPerson.ts"
import { codeOf, type Enrolled, enrol, nextCodeOf, secretOf } from "./totp.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard({ environment: { OPERATORS_SECOND_FACTOR: "" } })
})
afterAll(() => dashboard.stop())
const codeIn = ({ body, status }: Awaited<ReturnType<TestPerson["get"]>>) => [
  status,
  body.error?.code ?? body.code
]
const finish = (person: TestPerson, code: string, how = "totp") =>
  person.post(`${api}/auth/two-factor/verify-${how}`, { code })
const confirm = async (person: TestPerson, code: string) =>
  codeIn(await person.post(`${api}/auth/confirm`, { code }))
/** As if the second factor had been shown eleven minutes ago. */
const age = (email: string) => dashboard.sql`
  update sessions set confirmed_at = now() - interval '11 minutes'
  where confirmed_at is not null and person_id = (select id from people where email = ${email})`

describe("an authenticator app", () => {
  it("counts once it has shown a code, and every other session must show one too", async () => {
    const person = await signUpPerson(dashboard, "app@example.com")
    const other = new TestPerson(dashboard)
    await other.signIn("app@example.com")
    const begun = await person.post(`${api}/auth/two-factor/enable`, { password: testPassword })
    assert.lengthOf(begun.body.backupCodes, 10)
    assert.isFalse((await personOf(person)).has_totp)
    assert.deepStrictEqual(codeIn(await finish(person, "000000")), [401, "INVALID_CODE"])
    assert.isFalse((await personOf(person)).has_totp)
    assert.strictEqual((await finish(person, codeOf(secretOf(begun.body.totpURI)))).status, 200)
    assert.deepInclude(await personOf(person), { has_totp: true, awaits_confirmation: false })
    assert.strictEqual((await person.get(`${api}/overview`)).status, 200)
    assert.deepInclude(await personOf(other), { has_totp: true, awaits_confirmation: true })
    assert.deepStrictEqual(codeIn(await other.get(`${api}/overview`)), [403, "confirm_needed"])
    assert.deepStrictEqual(await confirm(other, nextCodeOf(secretOf(begun.body.totpURI))), [200, undefined])
    assert.strictEqual((await other.get(`${api}/overview`)).status, 200)
  })

  it("is not set up without the password", async () => {
    const person = await signUpPerson(dashboard, "khong-mk@example.com")
    for (const body of [{}, { password: "wrong password" }])
      assert.deepStrictEqual(codeIn(await person.post(`${api}/auth/two-factor/enable`, body)), [
        400,
        "INVALID_PASSWORD"
      ])
  })

  it("is asked for at each sign-in, before there is a session, and no device is let off", async () => {
    const { secret } = await enrol(await signUpPerson(dashboard, "buoc-hai@example.com"))
    const person = new TestPerson(dashboard)
    assert.deepInclude((await person.signIn("buoc-hai@example.com")).body, { twoFactorRedirect: true })
    assert.isUndefined(await personOf(person))
    assert.deepStrictEqual(codeIn(await finish(person, "000000")), [401, "INVALID_CODE"])
    const code = { code: nextCodeOf(secret), trustDevice: true }
    assert.strictEqual((await person.post(`${api}/auth/two-factor/verify-totp`, code)).status, 200)
    assert.strictEqual((await person.get(`${api}/overview`)).status, 200)
    assert.deepInclude((await person.signIn("buoc-hai@example.com")).body, { twoFactorRedirect: true })
  })

  it("shows each code for one use: not again, not the one before it, not in two sign-ins at once", async () => {
    const email = "mot-lan@example.com"
    const person = await signUpPerson(dashboard, email)
    const nowMs = Date.now()
    const { secret } = await enrol(person, nowMs)
    const begin = async () => {
      const guest = new TestPerson(dashboard)
      await guest.signIn(email)
      return guest
    }
    const used = codeOf(secret, nowMs)
    assert.deepStrictEqual(codeIn(await finish(await begin(), used)), [401, "INVALID_CODE"])
    assert.deepStrictEqual(await confirm(person, used), [401, "INVALID_CODE"])
    const [one, other] = await Promise.all([begin(), begin()])
    const next = codeOf(secret, nowMs + 30_000)
    const statuses = (await Promise.all([finish(one, next), finish(other, next)])).map(({ status }) => status)
    assert.sameMembers(statuses, [200, 401])
    assert.deepStrictEqual(await confirm(person, codeOf(secret, nowMs)), [401, "INVALID_CODE"])
  })

  it("may be replaced by each recovery code once", async () => {
    const { codes } = await enrol(await signUpPerson(dashboard, "khoi-phuc@example.com"))
    const signIn = async (code: string) => {
      const person = new TestPerson(dashboard)
      await person.signIn("khoi-phuc@example.com")
      return (await finish(person, code, "backup-code")).status
    }
    assert.deepStrictEqual([await signIn(codes[0]!), await signIn(codes[0]!)], [200, 401])
    assert.strictEqual(await signIn(codes[1]!), 200)
  })

  it("gets new recovery codes with the password, and the former ones end", async () => {
    const person = await signUpPerson(dashboard, "ma-moi@example.com")
    const { codes } = await enrol(person)
    const renew = (password: string) =>
      person.post(`${api}/auth/two-factor/generate-backup-codes`, { password })
    assert.strictEqual((await renew("wrong password")).status, 400)
    const fresh = (await renew(testPassword)).body.backupCodes
    assert.deepStrictEqual(await confirm(person, codes[0]!), [401, "INVALID_BACKUP_CODE"])
    assert.deepStrictEqual(await confirm(person, fresh[0]), [200, undefined])
  })

  it("is removed by whoever has just shown it, and the password alone counts again", async () => {
    const email = "bo@example.com"
    const person = await signUpPerson(dashboard, email)
    const { secret } = await enrol(person)
    await age(email)
    const remove = async () => codeIn(await person.post(`${api}/person/totp/remove`))
    assert.deepStrictEqual(await remove(), [403, "confirm_needed"])
    await confirm(person, nextCodeOf(secret))
    assert.deepStrictEqual(await remove(), [200, undefined])
    const again = new TestPerson(dashboard)
    assert.strictEqual((await again.signIn(email)).status, 200)
    assert.deepInclude(await personOf(again), { has_totp: false, has_second_factor: false })
  })

  it("takes the place of the password where that was asked for", async () => {
    const email = "thay@example.com"
    const person = await signUpPerson(dashboard, email)
    const { id } = (await person.post(`${api}/keys`, { name: "a", rate_limit_per_minute: 0 })).body
    const { secret } = await enrol(person)
    const reveal = async (body: object) => codeIn(await person.post(`${api}/keys/${id}/reveal`, body))
    assert.deepStrictEqual(await reveal({}), [200, undefined])
    await age(email)
    assert.deepStrictEqual(await reveal({ password: testPassword }), [403, "confirm_needed"])
    await confirm(person, nextCodeOf(secret))
    assert.deepStrictEqual(await reveal({}), [200, undefined])
  })

  it("leaves nothing to read: secret and codes are encrypted, and said in no log or audit", async () => {
    const { codes, secret } = await enrol(await signUpPerson(dashboard, "kin@example.com"))
    const rows = await dashboard.sql`select t::text as row from two_factors t
      union all select a::text from audit_log a union all select v::text from verifications v`
    const all = rows.map((row) => row["row"]).join("\n") + dashboard.warnings.join("\n")
    for (const each of [secret, ...codes]) assert.notInclude(all, each)
  })
})

describe("limits", () => {
  it("stop guessing codes of a sign-in and in a session", async () => {
    const limited = await startTestDashboard({ limited: true, databaseUrl: dashboard.databaseUrl })
    onTestFinished(() => limited.stop())
    const email = "doan-ma@example.com"
    const person = await signUpPerson(limited, email)
    await enrol(person)
    const guesses: Array<number> = []
    for (let index = 0; index < 11; index++)
      guesses.push((await person.post(`${api}/auth/confirm`, { code: `wrong-${index}` })).status)
    // One was spent on the first code.
    assert.deepStrictEqual(guesses, [...Array.from({ length: 9 }, () => 401), 429, 429])
    const guest = new TestPerson(limited)
    await guest.signIn(email)
    const steps: Array<number> = []
    for (let index = 0; index < 7; index++) steps.push((await finish(guest, `00000${index}`)).status)
    assert.deepStrictEqual(steps.slice(0, 5), [401, 401, 401, 401, 401])
    assert.isTrue(steps.slice(5).every((status) => status >= 400))
    assert.isUndefined(await personOf(guest))
  })
})

describe("operators", () => {
  const paths = endpoints.filter(({ method, rule }) => rule?.who === "operator" && method === "GET")
  const enrolled = async (email: string): Promise<Enrolled & { readonly person: TestPerson }> => {
    const person = await signUpOperator(dashboard, email)
    return { person, ...(await enrol(person)) }
  }

  it("are let into nothing of theirs without a second factor, and into all else", async () => {
    const operator = await signUpOperator(dashboard, "op-1@example.com")
    assert.deepInclude(await personOf(operator), { lacks_second_factor: true })
    for (const { path } of paths) {
      const answer = await operator.get(`${api}${path.replace(/:\w+/, "1")}`)
      assert.deepStrictEqual(codeIn(answer), [403, "second_factor_needed"], path)
    }
    assert.strictEqual((await operator.get(`${api}/overview`)).status, 200)
    await enrol(operator)
    assert.strictEqual((await operator.get(`${api}/operator/accounts`)).status, 200)
  })

  it("make no token for what they are let into by a second factor alone, until they have shown one", async () => {
    const operator = await signUpOperator(dashboard, "op-5@example.com")
    const make = (...scopes: ReadonlyArray<string>) => {
      const body = { name: "t", scopes, expires_at: Date.now() + 86_400_000, password: testPassword }
      return operator.post(`${api}/tokens`, body)
    }
    for (const scope of operatorScopes)
      assert.deepStrictEqual(codeIn(await make("usage:read", scope)), [403, "second_factor_needed"], scope)
    assert.strictEqual((await make("usage:read")).status, 201)
    await enrol(operator)
    assert.strictEqual((await make("operator:money")).status, 201)
  })

  it("are let in without one where it is turned off", async () => {
    const off = await startTestDashboard({
      databaseUrl: dashboard.databaseUrl,
      environment: { OPERATORS_SECOND_FACTOR: "off" }
    })
    onTestFinished(() => off.stop())
    const operator = await signUpOperator(off, "op-2@example.com")
    assert.strictEqual((await operator.get(`${api}/operator/accounts`)).status, 200)
  })

  it("ask it again before money is moved, or somebody is given a role to move it: credit, refund, assignment, role", async () => {
    const email = "op-3@example.com"
    const { person, secret } = await enrolled(email)
    const id = await accountOf(person)
    const credit = (amount_vnd: string) =>
      person.post(`${api}/operator/accounts/${id}/credit`, {
        amount_vnd,
        reason: "a",
        id: crypto.randomUUID()
      })
    await tellTransfer(dashboard, { id: 77, content: "khong co ma", transferAmount: 77_000 })
    const [transfer] = (await person.get(`${api}/operator/transfers`)).body.transfers
    const assign = () =>
      person.post(`${api}/operator/transfers/${transfer.id}/assign`, { account: email, reason: "a" })
    const appoint = () => person.post(`${api}/operator/accounts/${id}/role`, { role: "owner" })
    await age(email)
    assert.strictEqual((await person.get(`${api}/operator/accounts`)).status, 200)
    for (const ask of [() => credit("5000"), () => credit("-5000"), assign, appoint])
      assert.deepStrictEqual(codeIn(await ask()), [403, "confirm_needed"])
    const balance = () => balanceVndOf(person)
    assert.strictEqual(await balance(), "0")
    assert.deepStrictEqual(await confirm(person, nextCodeOf(secret)), [200, undefined])
    for (const ask of [() => credit("5000"), () => credit("-4000"), assign, appoint])
      assert.strictEqual((await ask()).status, 200)
    assert.strictEqual(await balance(), "78000")
  })

  /** What changes something, but can be undone in a moment or is help that should not wait. */
  const notAskedFor = new Set([
    "/operator/accounts/:id/keys/:key/pause",
    "/operator/accounts/:id/keys/:key/revoke",
    "/operator/accounts/:id/notes",
    "/operator/accounts/:id/status",
    "/operator/invoices/:id/retry",
    "/operator/maintenance",
    "/operator/notice",
    "/operator/price-changes/preview",
    "/operator/price-changes/:id/cancel",
    "/operator/routes/remove",
    "/operator/routes/set",
    "/operator/routes/test",
    "/operator/transfers/:id/dismiss",
    "/operator/transfers/:id/reopen",
    // What is reported, not what is paid.
    "/operator/exchange-rates",
    "/operator/margin/floor",
    "/operator/purchase-prices"
  ])

  it("are asked for it again before all else that changes something: money, prices, the way into an account or to a provider", async () => {
    const email = "op-6@example.com"
    const { person } = await enrolled(email)
    await age(email)
    const changing = endpoints.filter(({ method, rule }) => rule?.who === "operator" && method === "POST")
    const unknown = [...notAskedFor].filter((path) => !changing.some((each) => each.path === path))
    assert.deepStrictEqual(unknown, [])
    const own = await accountOf(person)
    for (const { path } of changing.filter((each) => !notAskedFor.has(each.path))) {
      const id = path.includes("/transfers/") ? "1" : own
      const answer = await person.post(`${api}${path.replace(":id", id)}`, bodies[path] ?? {})
      assert.deepStrictEqual(codeIn(answer), [403, "confirm_needed"], path)
    }
  })

  it("use management tokens as before", async () => {
    const { person } = await enrolled("op-4@example.com")
    const id = await accountOf(person)
    const scopes = ["operator:read", "operator:money"]
    const body = { name: "a", scopes, expires_at: Date.now() + 86_400_000 }
    const { token } = (await person.post(`${api}/tokens`, body)).body
    await age("op-4@example.com")
    const program = new TestPerson(dashboard)
    const headers = { authorization: `Bearer ${token}` }
    assert.strictEqual((await program.get("/api/operator/accounts", headers)).status, 200)
    const credit = { amount_vnd: "1000", reason: "a", id: crypto.randomUUID() }
    const credited = await program.post(`/api/operator/accounts/${id}/credit`, credit, headers)
    assert.strictEqual(credited.status, 200)
  })
})
