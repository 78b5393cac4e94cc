/**
 * Links that open something are known to whom they were given alone: neither the database nor the log has them. And whoever
 * loses an address by one hears of it there.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, onTestFinished } from "vitest"
import { type MailServer, startMailServer } from "../alerts/start-mail-server.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf, personOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { until } from "../until.ts"

const api = "/dashboard/api"

let mails: MailServer
let dashboard: TestDashboard
beforeAll(async () => {
  mails = await startMailServer()
  dashboard = await startTestDashboard({
    environment: { SMTP_URL: mails.url, SMTP_FROM: "tollgate@example.com" }
  })
})
afterAll(async () => {
  await dashboard.stop()
  mails.stop()
})

const mailedTokens = async (count: number, to: string) =>
  (await mails.next(count, to)).map(
    ({ text }) => /\?token=(?:3D)?(\w+)/.exec(text.replaceAll("=\r\n", ""))![1]!
  )

/** What stands there of whoever has this id, as text. */
const keptOf = async (id: string) => {
  const rows = await dashboard.sql`select v::text as row from verifications v where value like ${`%${id}%`}`
  return rows.map(({ row }) => String(row))
}

const ask = (action: string, body: object) => new TestPerson(dashboard).post(`${api}/auth/${action}`, body)
const reset = async (token: string) =>
  (await ask("reset-password", { token, newPassword: testPassword })).status

describe("links that were mailed or made", () => {
  it("stand nowhere in the database, and what does stand there opens nothing", async () => {
    const operator = await signUpOperator(dashboard, "op-link@example.com")
    const email = "lien-ket@example.com"
    const id = await accountOf(await signUpPerson(dashboard, email))
    await ask("request-password-reset", { email })
    const tokens = await mailedTokens(2, email)
    const { link } = (await operator.post(`${api}/operator/accounts/${id}/reset-link`)).body
    tokens.push(new URL(link).searchParams.get("token")!)
    const kept = await keptOf(id)
    assert.lengthOf(kept, 3)
    for (const token of tokens) assert.notInclude(kept.join("\n"), token)
    const hashes = kept.map((row) => /:([0-9a-f]{64}),/.exec(row)![1]!)
    for (const token of hashes) {
      assert.strictEqual(await reset(token), 400)
      assert.strictEqual((await ask("verify-email", { token })).status, 400)
    }
    assert.strictEqual(await reset(tokens.at(-1)!), 200)
    assert.deepStrictEqual(await keptOf(id), [])
  })

  it("go to the very address that becomes the person's", async () => {
    const person = await signUpPerson(dashboard, "kelvin@example.com")
    await person.post(`${api}/person/email`, { email: "Mi\u212ae@example.com", password: testPassword })
    const [token] = await mailedTokens(1, "mike@example.com")
    assert.strictEqual((await ask("verify-email", { token })).status, 200)
    assert.strictEqual((await personOf(person)).email, "mike@example.com")
  })

  it("that a mail server refuses and quotes are in no line of the log, nor is whom they were for", async () => {
    const email = "tu-choi@example.com"
    mails.refuse(1)
    const before = dashboard.warnings.length
    const person = await signUpPerson(dashboard, email)
    await until(() => dashboard.warnings.length > before)
    mails.refuse(2)
    await ask("request-password-reset", { email })
    await until(() => dashboard.warnings.length > before + 1)
    const { link } = (await person.post(`${api}/invitations`, { email: "moi@example.com", role: "member" }))
      .body
    await until(() => dashboard.warnings.length > before + 2)
    const told = dashboard.warnings.slice(before)
    for (const line of told) {
      assert.include(line, "SMTP 451")
      for (const secret of ["token=", "example.com", link]) assert.notInclude(line, secret)
    }
  })

  it("tell the desk whether the mail server has taken their mail, which is tried again", async () => {
    const operator = await signUpOperator(dashboard, "op-thu@example.com")
    const email = "khong-toi@example.com"
    const id = await accountOf(await signUpPerson(dashboard, email))
    const outcomes = async () => {
      const { person } = (await operator.get(`${api}/operator/accounts/${id}/ways-in`)).body
      return person.links.map((link: Record<string, string>) => [link["kind"], link["mail_outcome"]])
    }
    const untilTold = (expected: ReadonlyArray<readonly [string, string]>) =>
      until(async () => JSON.stringify(await outcomes()) === JSON.stringify(expected), 60)
    await untilTold([["address", "sent"]])
    mails.refuse(1)
    await ask("request-password-reset", { email })
    await untilTold([
      ["password", "SMTP 451"],
      ["address", "sent"]
    ])
    // By itself, some seconds later.
    await untilTold([
      ["password", "sent"],
      ["address", "sent"]
    ])
    await mailedTokens(2, email)
  })

  it("before they were kept as hashes stay good", async () => {
    const email = "truoc-day@example.com"
    const id = await accountOf(await signUpPerson(dashboard, email))
    await mailedTokens(1, email)
    await dashboard.sql`delete from verifications`
    const other = await accountOf(await signUpPerson(dashboard, "khac@example.com"))
    const [old, address] = ["Aa1".repeat(8), "0123456789abcdef".repeat(2)]
    await dashboard.sql`insert into verifications (id, identifier, value, expires_at) values
      ('1', ${`reset-password:${old}`}, ${other}, now() + interval '1 hour'),
      ('2', ${`address:${address}`}, ${JSON.stringify({ accountId: id, email })}, now() + interval '1 hour')`
    const file = new URL("../../src/storage/migrations/0076-links-hashed.sql", import.meta.url)
    await dashboard.sql.unsafe(readFileSync(file, "utf8"))
    assert.strictEqual((await ask("verify-email", { token: address })).status, 200)
    assert.strictEqual(await reset(old), 200)
  })
})

describe("a former address", () => {
  it.each([true, false])("is told that it is one where somebody had verified it (%s)", async (isVerified) => {
    const [former, email] = [`cu-${isVerified}@example.com`, `moi-${isVerified}@example.com`]
    const person = await signUpPerson(dashboard, former)
    const verify = async (address: string) => {
      const [token] = await mailedTokens(1, address)
      assert.strictEqual((await person.post(`${api}/auth/verify-email`, { token })).status, 200)
    }
    if (isVerified) await verify(former)
    await person.post(`${api}/person/email`, { email, password: testPassword })
    await verify(email)
    if (isVerified) assert.notInclude((await mails.next(2, former))[1]?.text, "moi-")
    else assert.lengthOf(await mails.next(1, former), 1)
  })
})

describe("somebody whose password others guess at without end", () => {
  it("comes in by a link for a new one, from where it was used", async () => {
    const limited = await startTestDashboard({ limited: true, databaseUrl: dashboard.databaseUrl })
    onTestFinished(() => limited.stop())
    const staff = await signUpOperator(limited, "giup@example.com")
    const email = "bi-doan@example.com"
    const person = await signUpPerson(limited, email)
    const id = await accountOf(person)
    await person.post(`${api}/auth/sign-out`)
    const askFrom = async (from: string, action: string, body: object) => {
      const path = `${api}/auth/${action}`
      return (await new TestPerson(limited).post(path, body, { "x-test-address": from })).status
    }
    const signIn = (from: string, password: string) => askFrom(from, "sign-in/email", { email, password })
    const guess = async () => {
      for (let count = 0; count < 21; count++) await signIn(`198.51.100.${count}`, `guess ${count}`)
    }
    await guess()
    const home = "192.0.2.1"
    assert.strictEqual(await signIn(home, testPassword), 429)
    const { link } = (await staff.post(`${api}/operator/accounts/${id}/reset-link`)).body
    const token = String(link).split("token=")[1]
    const wrong = { token: "0".repeat(32), newPassword: "one more horse battery" }
    assert.strictEqual(await askFrom("192.0.2.2", "reset-password", wrong), 400)
    assert.strictEqual(await askFrom(home, "reset-password", { ...wrong, token }), 200)
    await guess()
    assert.strictEqual(await signIn("192.0.2.2", wrong.newPassword), 429)
    assert.strictEqual(await signIn(home, "a wrong horse battery"), 401)
    assert.strictEqual(await signIn(home, wrong.newPassword), 200)
  })
})

describe("a stranger who is invited again and again", () => {
  it("has five mails an hour, from whatever accounts, and the next link is shown to whoever invites", async () => {
    const limited = await startTestDashboard({
      limited: true,
      databaseUrl: dashboard.databaseUrl,
      environment: { SMTP_URL: mails.url, SMTP_FROM: "tollgate@example.com" }
    })
    onTestFinished(() => limited.stop())
    const inviters = [
      await signUpPerson(limited, "moi-1@example.com"),
      await signUpPerson(limited, "moi-2@example.com")
    ]
    const invite = async (turn: number, email: string) => {
      const inviter = inviters[turn % 2]!
      const { body, status } = await inviter.post(`${api}/invitations`, { email, role: "member" })
      assert.strictEqual(status, 201)
      await inviter.post(`${api}/invitations/${body.id}/withdraw`)
      return body.link
    }
    for (let turn = 0; turn < 5; turn++) assert.isNull(await invite(turn, "Nguoi-La@example.com"))
    for (const turn of [0, 1])
      assert.match(await invite(turn, "nguoi-la@example.com"), /\/dashboard\/.*token=\w+/)
    assert.isNull(await invite(0, "nguoi-khac@example.com"))
    assert.lengthOf(
      mails.taken.filter(({ to }) => to.toLowerCase() === "nguoi-la@example.com"),
      5
    )
  })
})
