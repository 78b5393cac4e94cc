/** What people change of themselves, and what becomes of it elsewhere. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { type MailServer, startMailServer } from "../alerts/start-mail-server.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { actingFor, joinAccount } from "../dashboard/join-account.ts"
import { accountOf, personOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { until } from "../until.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let mailing: TestDashboard
let mails: MailServer
beforeAll(async () => {
  dashboard = await startTestDashboard()
  mails = await startMailServer()
  const environment = { SMTP_URL: mails.url, SMTP_FROM: "tollgate@example.com" }
  mailing = await startTestDashboard({ databaseUrl: dashboard.databaseUrl, environment })
})
afterAll(async () => {
  await mailing.stop()
  mails.stop()
  await dashboard.stop()
})
const actionsOf = async (accountId: string) =>
  (
    await dashboard.sql<Array<{ action: string; detail: unknown }>>`
      select action, detail from audit_log where subject = ${accountId} order by id`
  ).map(({ action, detail }) => [action, detail])

/** The token of the link that was mailed to this address last. */
const linkTo = async (email: string): Promise<string> => {
  const text = (await mails.next(1, email)).at(-1)!.text.replaceAll("=\r\n", "")
  return /\/dashboard\/verify\?token=(?:3D)?([0-9a-f]{32})/.exec(text)![1]!
}

describe("a person", () => {
  it("changes their name, on one line and not for nothing", async () => {
    const person = await signUpPerson(dashboard, "ten@example.com")
    assert.strictEqual((await person.post(`${api}/person/name`, { name: "  Trần Minh " })).status, 200)
    const { account_id: id, name } = await personOf(person)
    assert.strictEqual(name, "Trần Minh")
    for (const bad of ["", "a\nb", "a".repeat(201)])
      assert.strictEqual((await person.post(`${api}/person/name`, { name: bad })).status, 400)
    assert.deepStrictEqual(await actionsOf(id), [["person.rename", {}]])
  })

  it("changes their address with the password, at once where no mail is sent, and signs in by it", async () => {
    const person = await signUpPerson(dashboard, "cu@example.com")
    const id = await accountOf(person)
    await signUpPerson(dashboard, "da-co@example.com")
    const change = async (email: string, password = testPassword) => {
      const { body, status } = await person.post(`${api}/person/email`, { email, password })
      return [status, status === 200 ? body : body.error.code]
    }
    assert.deepStrictEqual(await change("moi@example.com", "wrong password"), [403, "wrong_password"])
    assert.deepStrictEqual(await change("Da-Co@example.com"), [409, "email_taken"])
    assert.deepStrictEqual(await change("not an address"), [400, "invalid"])
    assert.deepStrictEqual(await change("Moi@example.com"), [200, { mailed: false }])
    const [account] = await dashboard.sql`select email from accounts where id = ${id}`
    assert.strictEqual(account?.["email"], "moi@example.com")
    assert.strictEqual((await new TestPerson(dashboard).signIn("cu@example.com")).status, 401)
    assert.strictEqual((await new TestPerson(dashboard).signIn("moi@example.com")).status, 200)
    assert.deepStrictEqual(await actionsOf(id), [
      ["person.email", { email: "moi@example.com", verified: false }]
    ])
  })

  it("ends all other sessions at once, and not their own", async () => {
    const here = await signUpPerson(dashboard, "nhieu-noi@example.com")
    const others = [new TestPerson(dashboard), new TestPerson(dashboard)]
    for (const other of others) await other.signIn("nhieu-noi@example.com")
    assert.strictEqual((await here.post(`${api}/sessions/end-others`)).status, 200)
    for (const other of others) assert.isUndefined(await personOf(other))
    assert.isDefined(await personOf(here))
  })
})

describe("where mail is sent", () => {
  it("whoever signs up is mailed a link that verifies the address once, signed in or not", async () => {
    const person = await signUpPerson(mailing, "xac-minh@example.com")
    assert.isFalse((await personOf(person)).email_verified)
    const token = await linkTo("xac-minh@example.com")
    const guest = new TestPerson(mailing)
    const follow = async () => (await guest.post(`${api}/auth/verify-email`, { token })).status
    assert.deepStrictEqual([await follow(), await follow()], [200, 400])
    assert.strictEqual(guest.cookie, "")
    assert.isTrue((await personOf(person)).email_verified)
  })

  it("a new address counts once its link was followed, and the old one until then", async () => {
    const person = await signUpPerson(mailing, "truoc@example.com")
    const body = { email: "sau@example.com", password: testPassword }
    assert.deepStrictEqual((await person.post(`${api}/person/email`, body)).body, { mailed: true })
    assert.strictEqual((await personOf(person)).email, "truoc@example.com")
    const token = await linkTo("sau@example.com")
    // The link to the address of the sign-up is worth nothing for this one.
    await new TestPerson(mailing).post(`${api}/auth/verify-email`, { token })
    assert.deepInclude(await personOf(person), { email: "sau@example.com", email_verified: true })
  })

  it("links that there are none of, that ended, and whose address was taken meanwhile verify nothing", async () => {
    const person = await signUpPerson(mailing, "muon@example.com")
    const follow = async (token: unknown) => {
      const { body, status } = await new TestPerson(mailing).post(`${api}/auth/verify-email`, { token })
      return [status, body.error?.code]
    }
    for (const token of ["", "x", 5, "0".repeat(32), "' or true --"])
      assert.deepStrictEqual(await follow(token), [400, "INVALID_TOKEN"])
    const ended = await linkTo("muon@example.com")
    await dashboard.sql`update verifications set expires_at = now() - interval '1 second'
      where value like '%muon@example.com%'`
    assert.deepStrictEqual(await follow(ended), [400, "INVALID_TOKEN"])
    await person.post(`${api}/person/email`, { email: "tranh@example.com", password: testPassword })
    const late = await linkTo("tranh@example.com")
    await signUpPerson(dashboard, "tranh@example.com")
    assert.deepStrictEqual(await follow(late), [409, "email_taken"])
    assert.deepInclude(await personOf(person), { email: "muon@example.com", email_verified: false })
  })
})

describe("links that were made before", () => {
  const newPassword = "another password"
  const prepare = async (email: string) => {
    const operator = await signUpOperator(dashboard, `op-${email}`)
    const person = await signUpPerson(dashboard, email)
    const id = await accountOf(person)
    const makeLink = async () => {
      const { link } = (await operator.post(`${api}/operator/accounts/${id}/reset-link`)).body
      return new URL(link).searchParams.get("token")!
    }
    const reset = async (token: string) =>
      (await new TestPerson(dashboard).post(`${api}/auth/reset-password`, { token, newPassword })).status
    return { person, makeLink, reset }
  }

  it("set no password once another link has, or the person themself", async () => {
    const { makeLink, person, reset } = await prepare("nhieu-link@example.com")
    const [first, second] = [await makeLink(), await makeLink()]
    assert.deepStrictEqual([await reset(first), await reset(second)], [200, 400])
    await person.signIn("nhieu-link@example.com", newPassword)
    const third = await makeLink()
    const change = { currentPassword: newPassword, newPassword: testPassword }
    assert.strictEqual((await person.post(`${api}/auth/change-password`, change)).status, 200)
    assert.strictEqual(await reset(third), 400)
  })

  it("give the account no other address once its password is a new one, by a link or by the person", async () => {
    const { makeLink, person, reset } = await prepare("nguoi-chu@example.com")
    // Somebody who knows the password has asked for the account to be theirs.
    const ask = async (password: string, email: string) => {
      const thief = new TestPerson(mailing)
      await thief.signIn("nguoi-chu@example.com", password)
      await thief.post(`${api}/person/email`, { email, password })
      return linkTo(email)
    }
    const follow = async (token: string) =>
      (await new TestPerson(mailing).post(`${api}/auth/verify-email`, { token })).status
    const first = await ask(testPassword, "ke-gian-1@example.com")
    assert.strictEqual(await reset(await makeLink()), 200)
    assert.strictEqual(await follow(first), 400)
    const second = await ask(newPassword, "ke-gian-2@example.com")
    await person.signIn("nguoi-chu@example.com", newPassword)
    const change = { currentPassword: newPassword, newPassword: testPassword }
    assert.strictEqual((await person.post(`${api}/auth/change-password`, change)).status, 200)
    assert.strictEqual(await follow(second), 400)
    assert.strictEqual((await personOf(person)).email, "nguoi-chu@example.com")
  })

  it("set none once the address is another one, and give no former address back", async () => {
    const { makeLink, person, reset } = await prepare("doi-dia-chi@example.com")
    const link = await makeLink()
    const mailed = new TestPerson(mailing)
    await mailed.signIn("doi-dia-chi@example.com")
    const ask = (email: string) =>
      mailed.post(`${api}/person/email`, { email, password: testPassword }).then(() => linkTo(email))
    const [former, next] = [await ask("hop-thu-mat@example.com"), await ask("hop-thu-moi@example.com")]
    const follow = async (token: string) =>
      (await new TestPerson(mailing).post(`${api}/auth/verify-email`, { token })).status
    assert.deepStrictEqual([await follow(next), await follow(former)], [200, 400])
    assert.strictEqual(await reset(link), 400)
    assert.strictEqual((await personOf(person)).email, "hop-thu-moi@example.com")
  })
})

describe("closing an account", () => {
  const open = async (email: string) => {
    const person = await signUpPerson(dashboard, email)
    const id = await accountOf(person)
    const key = (await person.post(`${api}/keys`, { name: "a", rate_limit_per_minute: 0 })).body
    const token = (
      await person.post(`${api}/tokens`, {
        name: "a",
        scopes: ["usage:read"],
        expires_at: Date.now() + 86_400_000,
        password: testPassword
      })
    ).body
    return { person, id, key, token }
  }
  const close = async (person: TestPerson, password = testPassword) => {
    const { body, status } = await person.post(`${api}/person/close`, { password })
    return [status, body.error?.code]
  }

  it("ends keys, tokens and sessions, and leaves the money and the books", async () => {
    const { id, key, person, token } = await open("dong@example.com")
    await dashboard.sql`update wallets set booked_micro_vnd = 7 where account_id = ${id}`
    assert.deepStrictEqual(await close(person, "wrong password"), [403, "wrong_password"])
    assert.strictEqual((await person.get(`${api}/overview`)).status, 200)
    assert.deepStrictEqual(await close(person), [200, undefined])
    const [row] = await dashboard.sql`
      select a.status, a.closed_at is not null as is_closed, w.balance_micro_vnd::text as balance, k.status as key,
        t.revoked_at is not null as is_revoked
      from accounts a join wallet_balances w on w.account_id = a.id join keys k on k.id = ${key.id}
        join management_tokens t on t.id = ${token.id} where a.id = ${id}`
    assert.deepStrictEqual(
      { ...row },
      { status: "disabled", is_closed: true, balance: "7", key: "revoked", is_revoked: true }
    )
    assert.isUndefined(await personOf(person))
    const bearer = { authorization: `Bearer ${token.token}` }
    assert.strictEqual((await new TestPerson(dashboard).get(`${api}/overview`, bearer)).status, 401)
    assert.deepStrictEqual((await actionsOf(id)).at(-1), ["account.close", { keys: 1 }])
  })

  it("ends a key that is made in that moment, too", async () => {
    const { id, person } = await open("dang-dong@example.com")
    const answer = await dashboard.sql.begin(async (transaction) => {
      await transaction`select from accounts where id = ${id} for update`
      await transaction`insert into keys (id, account_id, name, slot, secret_hash, hint)
        values ('key_meanwhile', ${id}, 'a', 5, sha256('meanwhile'), '')`
      const closing = close(person)
      await until(async () => (await dashboard.sql`select from pg_locks where not granted`).length > 0)
      return { closing }
    })
    assert.deepStrictEqual(await answer.closing, [200, undefined])
    const rows = await dashboard.sql`select status from keys where account_id = ${id}`
    assert.deepStrictEqual([...new Set(rows.map(({ status }) => status))], ["revoked"])
  })

  it("is told to every node: the keys and the account", async () => {
    const { id, key, person } = await open("bao-tin@example.com")
    const before = await dashboard.sql`select coalesce(max(id), 0)::text as id from node_events`
    await close(person)
    const events = await dashboard.sql<Array<{ kind: string; subject: string }>>`
      select kind, subject from node_events where id > ${before[0]?.["id"]} order by id`
    assert.deepStrictEqual(
      events.filter(({ subject }) => [id, key.id].includes(subject)).map(({ kind }) => kind),
      ["key", "account"]
    )
  })

  it("can be taken back by an operator alone, with its members, and its keys stay revoked", async () => {
    const { id, key, person } = await open("mo-lai@example.com")
    const member = await joinAccount(dashboard, person, "nguoi-mo-lai@example.com", "admin")
    const seen = async () => (await member.get(`${api}/keys`, actingFor(id))).status
    assert.strictEqual(await seen(), 200)
    await close(person)
    assert.strictEqual(await seen(), 403)
    const operator = await signUpOperator(dashboard, "op-mo@example.com")
    await operator.post(`${api}/operator/accounts/${id}/status`, { status: "active" })
    assert.strictEqual((await person.signIn("mo-lai@example.com")).status, 200)
    assert.strictEqual(await seen(), 200)
    const { keys } = (await person.get(`${api}/keys`)).body
    assert.deepStrictEqual(
      keys.map((each: { id: string; status: string }) => [each.id, each.status]),
      [[key.id, "revoked"]]
    )
  })

  it("is refused to the last owner, also where the last two go at once", async () => {
    await dashboard.sql`update accounts set staff_role = null`
    const two = [
      await signUpOperator(dashboard, "cuoi-1@example.com"),
      await signUpOperator(dashboard, "cuoi-2@example.com")
    ]
    const answers = await Promise.all(two.map((operator) => close(operator)))
    assert.sameDeepMembers(answers, [
      [200, undefined],
      [409, "last_owner"]
    ])
  })
})
