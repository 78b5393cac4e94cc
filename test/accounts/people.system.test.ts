import { assert, describe, it } from "@effect/vitest"
import { getMigrations } from "better-auth/db/migration"
import { afterAll, beforeAll, onTestFinished } from "vitest"
import { makePeople } from "../../src/accounts/people.ts"
import { makePasswordLink, setPassword } from "../../src/accounts/set-password.ts"
import { makeAccountId } from "../../src/domain/ids.ts"
import { startSilentServer } from "../dashboard/silent-server.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { onDatabase } from "../storage/on-database.ts"
import { accountOf, personOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { peopleOptions } from "./people-options.ts"

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard()
})
afterAll(() => dashboard.stop())

describe("people", () => {
  it("have the tables better-auth plans for, with nothing to add", async () => {
    const people = await makePeople(peopleOptions(dashboard.databaseUrl, dashboard.url))
    const plan = await getMigrations(people.auth.options)
    assert.deepStrictEqual([...plan.toBeCreated, ...plan.toBeAdded], [])
    await people.close()
  })

  it("who had no password choose one by a link, and sign in with it", async () => {
    const accountId = makeAccountId(Date.now())
    const email = "chua-co@example.com"
    await dashboard.sql`insert into accounts (id, email) values (${accountId}, ${email})`
    await dashboard.sql`insert into wallets (account_id) values (${accountId})`
    const link = await onDatabase(
      dashboard.databaseUrl,
      makePasswordLink({ accountId, email }, dashboard.url)
    )
    const token = new URL(link).searchParams.get("token")
    const guest = new TestPerson(dashboard)
    const password = "chosen by a link"
    const chosen = await guest.post("/dashboard/api/auth/reset-password", { newPassword: password, token })
    assert.strictEqual(chosen.status, 200)
    assert.strictEqual((await guest.signIn(email, password)).status, 200)
    assert.strictEqual(await accountOf(guest), accountId)
  })

  it("get an account and a wallet with the sign-up, under the same id", async () => {
    const person = await signUpPerson(dashboard, "Moi@Example.com")
    const id = await accountOf(person)
    const rows = await dashboard.sql`
      select a.email, w.balance_micro_vnd::text as balance from accounts a join wallet_balances w on w.account_id = a.id
      where a.id = ${id}`
    assert.deepStrictEqual([...rows], [{ email: "moi@example.com", balance: "0" }])
  })

  it("get one account only, however often the form is sent at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => new TestPerson(dashboard).signUp("nhieu@example.com"))
    )
    assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
    const [row] =
      await dashboard.sql`select count(*)::int as count from accounts where email = 'nhieu@example.com'`
    assert.strictEqual(row?.["count"], 1)
  })

  it("can not take over an account that was made without a password", async () => {
    const id = makeAccountId(Date.now())
    await dashboard.sql`insert into accounts (id, email) values (${id}, 'Cong-Ty@example.com')`
    await dashboard.sql`insert into wallets (account_id, booked_micro_vnd) values (${id}, 5)`
    const thief = new TestPerson(dashboard)
    assert.isAtLeast((await thief.signUp("cong-ty@example.com")).status, 400)
    assert.isUndefined(await personOf(thief))
  })

  it("are given a password for such an account by the command line, which ends their sessions", async () => {
    const id = makeAccountId(Date.now())
    await dashboard.sql`insert into accounts (id, email) values (${id}, 'cli@example.com')`
    await dashboard.sql`insert into wallets (account_id) values (${id})`
    const owner = { accountId: id, email: "cli@example.com" }
    await onDatabase(dashboard.databaseUrl, setPassword(owner, testPassword, "cli"))
    const person = new TestPerson(dashboard)
    assert.strictEqual((await person.signIn("cli@example.com")).status, 200)
    assert.strictEqual(await accountOf(person), id)
    await onDatabase(dashboard.databaseUrl, setPassword(owner, "another password", "cli"))
    assert.isUndefined(await personOf(person))
    assert.strictEqual((await person.signIn("cli@example.com")).status, 401)
    assert.strictEqual((await person.signIn("cli@example.com", "another password")).status, 200)
    const audited = await dashboard.sql`select actor, action from audit_log where subject = ${id}`
    assert.deepStrictEqual(
      audited.map(({ action, actor }) => [actor, action]),
      [
        ["cli", "person.password"],
        ["cli", "person.password"]
      ]
    )
  })

  it("can not make themselves operators by what they send", async () => {
    const person = new TestPerson(dashboard)
    const extra = { role: "admin", staff_role: "owner", id: "acc_mine", emailVerified: true }
    const body = { email: "admin@example.com", name: "A", password: testPassword, ...extra }
    await person.post("/dashboard/api/auth/sign-up/email", body)
    const rows =
      await dashboard.sql`select staff_role from accounts where email = 'admin@example.com' or id = 'acc_mine'`
    assert.isTrue(rows.every((row) => row["staff_role"] === null))
  })

  it("get a new session at each sign-in; a planted cookie is never taken over", async () => {
    await signUpPerson(dashboard, "co-dinh@example.com")
    const person = new TestPerson(dashboard)
    person.setCookie("tollgate.session_token", "planted.c2lnbmF0dXJl")
    await person.signIn("co-dinh@example.com")
    assert.notInclude(person.cookie, "planted")
    const first = person.cookie
    await person.signIn("co-dinh@example.com")
    assert.notStrictEqual(person.cookie, first)
  })

  it("are signed out for good: the old cookie is worth nothing", async () => {
    const person = await signUpPerson(dashboard, "ra@example.com")
    const copy = new TestPerson(dashboard)
    copy.setCookie("tollgate.session_token", person.cookie.split("=").slice(1).join("="))
    assert.isDefined(await personOf(copy))
    await person.post("/dashboard/api/auth/sign-out")
    assert.isUndefined(await personOf(copy))
  })

  it("stay signed in while they keep coming", async () => {
    const person = await signUpPerson(dashboard, "o-lai@example.com")
    await dashboard.sql`update sessions set expires_at = now() + interval '2 days', updated_at = now() - interval '5 days'
      where person_id = (select id from people where email = 'o-lai@example.com')`
    assert.isNotNull((await person.get("/dashboard/api/session")).headers.get("set-cookie"))
    const [row] = await dashboard.sql`select expires_at > now() + interval '6 days' as prolonged from sessions
      where person_id = (select id from people where email = 'o-lai@example.com')`
    assert.isTrue(row?.["prolonged"])
    assert.isNull((await person.get("/dashboard/api/session")).headers.get("set-cookie"))
  })

  it("keep cookies from scripts and other sites", async () => {
    const answer = await new TestPerson(dashboard).signUp("cookie@example.com")
    assert.match(answer.headers.get("set-cookie") ?? "", /HttpOnly; SameSite=Lax/)
  })

  it("list their sessions and end one of them", async () => {
    const here = await signUpPerson(dashboard, "phien@example.com")
    const there = new TestPerson(dashboard)
    await there.signIn("phien@example.com")
    const { sessions } = (await here.get("/dashboard/api/sessions")).body
    assert.strictEqual(sessions.length, 2)
    const other = sessions.find((session: { is_current: boolean }) => !session.is_current)
    assert.strictEqual((await here.post(`/dashboard/api/sessions/${other.id}/end`)).status, 200)
    assert.isUndefined(await personOf(there))
    assert.isDefined(await personOf(here))
  })

  it("change their password with the current one, which ends their other sessions", async () => {
    const here = await signUpPerson(dashboard, "doi@example.com")
    const there = new TestPerson(dashboard)
    await there.signIn("doi@example.com")
    const change = (currentPassword: string) =>
      here.post("/dashboard/api/auth/change-password", {
        currentPassword,
        newPassword: "a much better password",
        revokeOtherSessions: false
      })
    assert.strictEqual((await change("wrong password")).status, 400)
    assert.strictEqual((await change(testPassword)).status, 200)
    assert.isUndefined(await personOf(there))
    assert.isDefined(await personOf(here))
  })

  it("reset a forgotten password by the operator's link, once", async () => {
    const person = await signUpPerson(dashboard, "quen@example.com")
    const operator = await signUpOperator(dashboard, "op-reset@example.com")
    const guest = new TestPerson(dashboard)
    for (const email of ["quen@example.com", "nobody@example.com"]) {
      assert.strictEqual(
        (await guest.post("/dashboard/api/auth/request-password-reset", { email })).status,
        200
      )
    }
    const waitingNow = async () =>
      (await operator.get("/dashboard/api/operator/accounts")).body.reset_requests
    // What is done after the answer may come a little later.
    let waiting = await waitingNow()
    while (waiting.length === 0) waiting = await waitingNow()
    assert.deepStrictEqual(
      waiting.map((account: { email: string }) => account.email),
      ["quen@example.com"]
    )
    const { link } = (await operator.post(`/dashboard/api/operator/accounts/${waiting[0].id}/reset-link`))
      .body
    const token = new URL(link).searchParams.get("token")
    const reset = () =>
      guest.post("/dashboard/api/auth/reset-password", { newPassword: "fresh password 1", token })
    assert.strictEqual((await reset()).status, 200)
    assert.strictEqual((await reset()).status, 400)
    assert.isUndefined(await personOf(person))
    assert.strictEqual((await person.signIn("quen@example.com", "fresh password 1")).status, 200)
    const left = (await operator.get("/dashboard/api/operator/accounts")).body.reset_requests
    assert.deepStrictEqual(left, [])
  })
})

describe("a request for a new password", () => {
  it("is answered the same and at once, whether there is such a person or not", async () => {
    const mailServer = await startSilentServer()
    const { databaseUrl } = dashboard
    const environment = { SMTP_URL: mailServer.url, SMTP_FROM: "tollgate@example.com" }
    const mailing = await startTestDashboard({ databaseUrl, environment })
    onTestFinished(async () => {
      await mailing.stop()
      mailServer.stop()
    })
    await signUpPerson(mailing, "co-that@example.com")
    const ask = async (email: string) => {
      const guest = new TestPerson(mailing)
      const { headers, status, text } = await guest.post("/dashboard/api/auth/request-password-reset", {
        email
      })
      return { status, text, names: [...headers.keys()], length: headers.get("content-length") }
    }
    const known = await ask("Co-That@example.com")
    // It has been answered although the mail server says nothing and has not been given up.
    assert.strictEqual(await mailServer.ended(), 0)
    assert.deepStrictEqual(known, await ask("khong-co@example.com"))
    assert.deepInclude(known, { status: 200, text: '{"status":true}' })
  })

  it("is refused for what is no email, and for what the database can not hold", async () => {
    const guest = new TestPerson(dashboard)
    for (const email of ["", "lan", 5, null, `a\0@example.com`, `${"a".repeat(300)}@example.com`]) {
      const body = { email, password: testPassword, name: "Lan" }
      for (const action of ["request-password-reset", "sign-in/email", "sign-up/email"])
        assert.strictEqual(
          (await guest.post(`/dashboard/api/auth/${action}`, body)).status,
          400,
          `${action} ${email}`
        )
    }
  })
})

describe("limits", () => {
  it("stop guessing one person's password from many addresses, but not that person where they are signed in", async () => {
    const limited = await startTestDashboard({ limited: true, databaseUrl: dashboard.databaseUrl })
    onTestFinished(() => limited.stop())
    await signUpPerson(limited, "muc-tieu@example.com")
    await signUpPerson(limited, "ban-be@example.com")
    let address = 0
    const signIn = async (email: string, password: string, from = `198.51.100.${++address}`) => {
      const body = { email, password }
      const headers = { "x-test-address": from }
      return (await new TestPerson(limited).post("/dashboard/api/auth/sign-in/email", body, headers)).status
    }
    const guesses = async (email: string) => {
      const statuses: Array<number> = []
      for (let guess = 0; guess < 21; guess++) statuses.push(await signIn(email, `guess ${guess}`))
      return statuses
    }
    const limitedAtLast = [...Array.from({ length: 20 }, () => 401), 429]
    assert.deepStrictEqual(await guesses("Muc-Tieu@example.com"), limitedAtLast)
    assert.strictEqual(await signIn("muc-tieu@example.com", testPassword), 429)
    assert.strictEqual(await signIn("muc-tieu@example.com", testPassword, "203.0.113.7"), 200)
    assert.strictEqual(await signIn("ban-be@example.com", testPassword), 200)
    assert.deepStrictEqual(await guesses("khong-ai@example.com"), limitedAtLast)
  })

  it("stop guessing passwords by address, whatever header the guesser adds", async () => {
    const limited = await startTestDashboard({ limited: true, databaseUrl: dashboard.databaseUrl })
    const statuses: Array<number> = []
    for (let index = 0; index < 14; index++) {
      const guess = { email: "lan@example.com", password: `guess number ${index}` }
      const answer = await new TestPerson(limited).post("/dashboard/api/auth/sign-in/email", guess, {
        "x-forwarded-for": `198.51.100.${index}`
      })
      statuses.push(answer.status)
    }
    assert.deepStrictEqual(statuses.slice(-3), [429, 429, 429])
    await limited.stop()
  })

  it("stop guessing the password that shows a key", async () => {
    const limited = await startTestDashboard({ limited: true, databaseUrl: dashboard.databaseUrl })
    const person = await signUpPerson(limited, "doan@example.com")
    const { id } = (await person.post("/dashboard/api/keys", { name: "a", rate_limit_per_minute: 0 })).body
    const statuses: Array<number> = []
    for (let index = 0; index < 11; index++) {
      statuses.push(
        (await person.post(`/dashboard/api/keys/${id}/reveal`, { password: `guess ${index}` })).status
      )
    }
    assert.deepStrictEqual(statuses, [...Array.from({ length: 10 }, () => 403), 429])
    await limited.stop()
  })
})
