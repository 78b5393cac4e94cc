/** Signing in with an account elsewhere. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { oauthProviders } from "../../src/domain/oauth-providers.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf, personOf } from "../dashboard/own-account.ts"
import { signUpPerson, TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { refusing } from "../storage/refuse-change.ts"
import { until } from "../until.ts"
import { type OwnerThere, startOAuthProvider, tokenMark } from "./start-oauth-provider.ts"
import { enrol, nextCodeOf } from "./totp.ts"

const api = "/dashboard/api"

let provider: Awaited<ReturnType<typeof startOAuthProvider>>
let dashboard: TestDashboard
/** Who is signed in at the provider; nobody does not want to. */
let there: OwnerThere | undefined
beforeAll(async () => {
  provider = await startOAuthProvider(() => there)
  dashboard = await startTestDashboard({ change: (settings) => ({ ...settings, oauth: provider.oauth }) })
})
afterAll(async () => {
  await dashboard.stop()
  provider.stop()
})

const begin = (person: TestPerson, name: string, next = "/keys") =>
  person.post(`${api}/auth/sign-in/social`, { provider: name, next })

/** To the provider and back, as a browser goes; answers where that ends. */
const signIn = async (person: TestPerson, name: string): Promise<string> => {
  const { url } = (await begin(person, name)).body
  const back = (await fetch(url, { redirect: "manual" })).headers.get("location")!
  const { headers, status } = await person.get(back.replace(dashboard.url, ""), {
    "sec-fetch-site": "cross-site"
  })
  assert.strictEqual(status, 302)
  return headers.get("location")!.replace(dashboard.url, "")
}

let nextId = 1
const marker = "Zqx7Marker93"
const anyone = (email: string, isVerified = true): OwnerThere => ({
  id: nextId++,
  name: "Nguyễn An",
  email,
  isVerified
})

describe.each(oauthProviders)("%s", (name) => {
  it("opens an account for whoever is new, with the name and the verified address, and knows them again", async () => {
    there = anyone(`an-${name}@example.com`)
    const first = new TestPerson(dashboard)
    assert.strictEqual(await signIn(first, name), "/dashboard/keys")
    const person = await personOf(first)
    assert.deepInclude(person, {
      email: `an-${name}@example.com`,
      name: "Nguyễn An",
      email_verified: true,
      has_password: false
    })
    // The address may have changed there: it is the account that counts.
    there = { ...there, email: `doi-${name}@example.com` }
    const again = new TestPerson(dashboard)
    await signIn(again, name)
    assert.strictEqual(await accountOf(again), person.account_id)
  })

  it("opens no account that nobody could come into, where the database ends in the midst of it", async () => {
    const email = `dut-${name}@example.com`
    there = anyone(email)
    const person = new TestPerson(dashboard)
    const cut = await refusing(dashboard.sql, "insert on credentials", () => signIn(person, name))
    assert.include(cut, "/dashboard/signin?error=")
    assert.lengthOf(await dashboard.sql`select from people where email = ${email}`, 0)
    assert.strictEqual(await signIn(person, name), "/dashboard/keys")
  })

  it("opens nothing for an address that was not verified there", async () => {
    there = anyone(`chua-${name}@example.com`, false)
    const person = new TestPerson(dashboard)
    assert.include(await signIn(person, name), "/dashboard/signin?error=email_not_found")
    assert.isUndefined(await personOf(person))
  })

  it("opens nothing for an address with what nobody sees: without it, it may be somebody else's", async () => {
    const email = `khuat-${name}@example.com`
    await signUpPerson(dashboard, email)
    await dashboard.sql`update people set email_verified = true where email = ${email}`
    there = anyone(`\u200b${email}`)
    const person = new TestPerson(dashboard)
    assert.include(await signIn(person, name), "/dashboard/signin?error=email_not_found")
    assert.isUndefined(await personOf(person))
  })

  it("is linked to an account by an address that is verified on both sides alone", async () => {
    const email = `lien-ket-${name}@example.com`
    const owner = await signUpPerson(dashboard, email)
    const id = await accountOf(owner)
    there = anyone(email)
    const person = new TestPerson(dashboard)
    assert.include(await signIn(person, name), "/dashboard/signin?error=account_not_linked")
    assert.isUndefined(await personOf(person))
    await dashboard.sql`update people set email_verified = true where email = ${email}`
    assert.strictEqual(await signIn(person, name), "/dashboard/keys")
    assert.strictEqual(await accountOf(person), id)
  })

  it("is linked once where two come back with it at once, and signs in afterwards", async () => {
    const email = `hai-cua-so-${name}@example.com`
    await signUpPerson(dashboard, email)
    await dashboard.sql`update people set email_verified = true where email = ${email}`
    there = anyone(email)
    const both = await dashboard.sql.begin(async (transaction) => {
      await transaction`lock table credentials in share row exclusive mode`
      const ends = [1, 2].map(() => signIn(new TestPerson(dashboard), name))
      await until(async () => {
        const [row] = await dashboard.sql`
          select count(*)::int as count from pg_locks where relation = 'credentials'::regclass and not granted`
        return row!["count"] === 2
      })
      return { ends }
    })
    assert.include(await Promise.all(both.ends), "/dashboard/keys")
    assert.strictEqual(await signIn(new TestPerson(dashboard), name), "/dashboard/keys")
  })

  it("is no way around an authenticator app", async () => {
    const email = `hai-buoc-${name}@example.com`
    const owner = await signUpPerson(dashboard, email)
    const { secret } = await enrol(owner)
    await dashboard.sql`update people set email_verified = true where email = ${email}`
    there = anyone(email)
    const person = new TestPerson(dashboard)
    await signIn(person, name)
    assert.strictEqual((await person.get(`${api}/overview`)).status, 403)
    await person.post(`${api}/auth/confirm`, { code: nextCodeOf(secret) })
    assert.strictEqual((await person.get(`${api}/overview`)).status, 200)
  })

  it("is listed, and signs in no more once it is removed with the password", async () => {
    const email = `go-bo-${name}@example.com`
    const owner = await signUpPerson(dashboard, email)
    await dashboard.sql`update people set email_verified = true where email = ${email}`
    there = anyone(email)
    await signIn(new TestPerson(dashboard), name)
    const listed = async () => (await owner.get(`${api}/person/sign-ins`)).body.sign_ins
    assert.deepStrictEqual(
      (await listed()).map(({ provider }: { provider: string }) => provider),
      [name]
    )
    const remove = async (provider: string, password?: string) =>
      (await owner.post(`${api}/person/sign-ins/${provider}/remove`, { ...(password && { password }) }))
        .status
    assert.deepStrictEqual(
      [await remove(name), await remove(name, "a wrong password"), await remove("nobody", testPassword)],
      [400, 403, 404]
    )
    assert.deepStrictEqual([await remove(name, testPassword), await remove(name, testPassword)], [200, 404])
    assert.deepStrictEqual(await listed(), [])
    // Its owner has left, and signs in elsewhere with another address by now.
    there = { ...there, email: `roi-${email}` }
    const former = new TestPerson(dashboard)
    await signIn(former, name)
    assert.strictEqual((await personOf(former)).email, `roi-${email}`)
  })

  it("stays where it is the only way in", async () => {
    there = anyone(`mot-cach-${name}@example.com`)
    const person = new TestPerson(dashboard)
    await signIn(person, name)
    const { secret } = await enrol(person)
    await person.post(`${api}/auth/confirm`, { code: nextCodeOf(secret) })
    const { body, status } = await person.post(`${api}/person/sign-ins/${name}/remove`, {})
    assert.deepStrictEqual([status, body.error.code], [409, "last_way_in"])
  })

  it("tells of whoever did not want to", async () => {
    there = undefined
    assert.include(await signIn(new TestPerson(dashboard), name), "/dashboard/signin?error=access_denied")
  })
})

describe("the way back", () => {
  it("signs nobody in with a state that another browser was given, or none", async () => {
    there = anyone("trom@example.com")
    const victim = new TestPerson(dashboard)
    const { url } = (await begin(new TestPerson(dashboard), "github")).body
    const back = new URL((await fetch(url, { redirect: "manual" })).headers.get("location")!)
    for (const query of [back.search, `?code=${back.searchParams.get("code")}`, "?state=x&code=y", ""]) {
      const answer = await victim.get(`${back.pathname}${query}`)
      assert.strictEqual(answer.status, 302)
      assert.include(answer.headers.get("location"), "/dashboard/signin?error=")
    }
    assert.isUndefined(await personOf(victim))
  })

  it("has nothing in the log that somebody writes into its address", async () => {
    const { url } = (await begin(new TestPerson(dashboard), "github")).body
    const state = new URL(url).searchParams.get("state")
    const before = dashboard.warnings.length
    for (const query of [
      `error=${marker}`,
      `code=${marker}`,
      `state=${marker}&code=${marker}`,
      `state=${state}&code=x`
    ])
      await new TestPerson(dashboard).get(`${api}/auth/callback/github?${query}&error_description=${marker}`)
    const told = dashboard.warnings.slice(before).join("\n")
    assert.include(told, "State not found")
    for (const secret of [marker, state!]) assert.notInclude(told, secret)
  })

  it("is there for the providers that are set up alone: better-auth counts by path, and would count without end", async () => {
    const before = dashboard.warnings.length
    const made = ["gitlab", "x1", "constructor", `y${"z".repeat(1_000)}`]
    for (const name of made)
      assert.strictEqual((await new TestPerson(dashboard).get(`${api}/auth/callback/${name}`)).status, 404)
    assert.lengthOf(dashboard.warnings, before)
  })

  it("leads to our own pages alone", async () => {
    const person = new TestPerson(dashboard)
    for (const next of ["https://evil.example", "//evil.example", "", "/a?b=//c", "/\\evil"])
      assert.strictEqual((await begin(person, "github", next)).status, 400)
  })
})

describe("what a provider gives", () => {
  it("is kept nowhere", async () => {
    const rows = await dashboard.sql`select c::text as row from credentials c
      union all select v::text from verifications v union all select a::text from audit_log a`
    const all = rows.map((row) => row["row"]).join("\n") + dashboard.warnings.join("\n")
    assert.isAbove(rows.length, 2)
    assert.notInclude(all, tokenMark)
  })
})

describe("a provider that is not set up", () => {
  it("is offered to nobody, and answers nobody", async () => {
    const without = await startTestDashboard({ databaseUrl: dashboard.databaseUrl })
    const person = new TestPerson(without)
    assert.deepStrictEqual((await person.get(`${api}/session`)).body.sign_in_with, [])
    for (const name of [...oauthProviders, "gitlab", ""])
      assert.strictEqual((await begin(person, name)).status, 404)
    await without.stop()
  })
})
