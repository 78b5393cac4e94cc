/** Members of an account: how they come, who decides on them, and that they are gone at once. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { membersMax } from "../../src/storage/people/MemberStore.ts"
import { actingFor, inviteTo, joinAccount } from "./join-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, type TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let lan: TestPerson
let account: string
let acting: Record<string, string>
beforeAll(async () => {
  dashboard = await startTestDashboard()
  lan = await signUpPerson(dashboard, "lan@example.com")
  account = await accountOf(lan)
  acting = actingFor(account)
})
afterAll(() => dashboard.stop())

const codeOf = ({
  body,
  status
}: {
  readonly body: { error?: { code: string } }
  readonly status: number
}) => [status, body.error?.code]

const makeToken = async (person: TestPerson, scopes: ReadonlyArray<string>) => {
  const body = { name: "t", scopes, expires_at: Date.now() + 86_400_000, password: testPassword }
  return (await person.post(`${api}/tokens`, body, acting)).body.token as string
}

const askByToken = (token: string, path: string) =>
  fetch(`${dashboard.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })

describe("an invitation", () => {
  it("is for the person alone whose address it names", async () => {
    const token = await inviteTo(lan, "Hoa@Example.com", "billing")
    const other = await signUpPerson(dashboard, "other@example.com")
    for (const action of ["look", "accept"]) {
      const answer = await other.post(`${api}/invitations/${action}`, { token })
      assert.deepStrictEqual(codeOf(answer), [403, "invitation_not_yours"])
      assert.notInclude(answer.text, "lan@")
    }
    const hoa = await signUpPerson(dashboard, "hoa@example.com")
    const looked = (await hoa.post(`${api}/invitations/look`, { token })).body
    assert.deepStrictEqual([looked.account, looked.role], ["lan@example.com", "billing"])
    assert.strictEqual((await hoa.get(`${api}/statement`, acting)).status, 403)
    const accepted = await hoa.post(`${api}/invitations/accept`, { token })
    assert.deepStrictEqual(accepted.body, { account_id: account })
    assert.strictEqual((await hoa.get(`${api}/statement`, acting)).status, 200)
    const again = await hoa.post(`${api}/invitations/accept`, { token })
    assert.deepStrictEqual([again.status, again.body], [200, { account_id: account }])
    const { person } = (await hoa.get(`${api}/session`, acting)).body
    assert.deepStrictEqual([person.acting.account_id, person.acting.role], [account, "billing"])
    assert.deepStrictEqual(
      person.accounts.map(({ email }: { email: string }) => email),
      ["hoa@example.com", "lan@example.com"]
    )
    const member = await lan.post(`${api}/invitations`, { email: "hoa@example.com", role: "admin" })
    assert.deepStrictEqual(codeOf(member), [409, "already_member"])
  })

  it("ends after seven days, when it is withdrawn, and when there is a newer one", async () => {
    const person = await signUpPerson(dashboard, "late@example.com")
    const accept = async (token: string) => codeOf(await person.post(`${api}/invitations/accept`, { token }))
    const first = await inviteTo(lan, "late@example.com", "member")
    const second = await inviteTo(lan, "late@example.com", "member")
    assert.deepStrictEqual(await accept(first), [404, "not_found"])
    const [row] = await dashboard.sql`
      select expires_at - created_at between interval '167 hours' and interval '169 hours' as fits
      from invitations where email = 'late@example.com' and withdrawn_at is null`
    assert.isTrue(row!["fits"])
    await dashboard.sql`update invitations set expires_at = now() where email = 'late@example.com'`
    assert.deepStrictEqual(await accept(second), [404, "not_found"])
    const third = await inviteTo(lan, "late@example.com", "member")
    const { invitations } = (await lan.get(`${api}/members`)).body
    const { id } = invitations.find(({ email }: { email: string }) => email === "late@example.com")
    assert.strictEqual((await lan.post(`${api}/invitations/${id}/withdraw`)).status, 200)
    assert.deepStrictEqual(await accept(third), [404, "not_found"])
    assert.strictEqual((await lan.post(`${api}/invitations/${id}/withdraw`)).status, 404)
  })

  it("is worth nothing once whoever sent it may not invite any more", async () => {
    const admin = await joinAccount(dashboard, lan, "former-admin@example.com", "admin")
    const answer = await admin.post(
      `${api}/invitations`,
      { email: "friend@example.com", role: "admin" },
      acting
    )
    const token = answer.body.link.split("token=")[1]
    await lan.post(`${api}/members/${await accountOf(admin)}`, { role: "member" })
    const friend = await signUpPerson(dashboard, "friend@example.com")
    assert.strictEqual((await friend.post(`${api}/invitations/accept`, { token })).status, 404)
  })

  it("stores nothing of its link but a hash", async () => {
    const token = await inviteTo(lan, "hash@example.com", "member")
    const rows = await dashboard.sql`select to_jsonb(i)::text as row from invitations i`
    const logged = await dashboard.sql`select detail::text as row from audit_log`
    for (const { row } of [...rows, ...logged]) assert.notInclude(row, token)
  })

  it("is refused where there are as many as there may be, also when they are asked for together", async () => {
    const owner = await signUpPerson(dashboard, "crowd@example.com")
    const own = await accountOf(owner)
    await dashboard.sql`
      insert into invitations (id, account_id, email, role, token_hash, invited_by, expires_at)
      select 'inv_' || n, ${own}, n || '@example.com', 'member', sha256(n::text::bytea), ${own}, now() + interval '1 day'
      from generate_series(1, ${membersMax - 2}) as n`
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        owner.post(`${api}/invitations`, { email: `more-${index}@example.com`, role: "member" })
      )
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409])
  })

  it("is sent twenty times an hour at most", async () => {
    const limited = await startTestDashboard({ limited: true, databaseUrl: dashboard.databaseUrl })
    try {
      const owner = await signUpPerson(limited, "eager@example.com")
      const send = () => owner.post(`${api}/invitations`, { email: "a@example.com", role: "member" })
      for (let sent = 0; sent < 20; sent++) assert.strictEqual((await send()).status, 201)
      assert.strictEqual((await send()).status, 429)
    } finally {
      await limited.stop()
    }
  })
})

describe("owners", () => {
  it("are made, changed and removed by owners alone, and whose account it is stays one", async () => {
    const owner = await joinAccount(dashboard, lan, "second@example.com", "owner")
    const admin = await joinAccount(dashboard, lan, "admin@example.com", "admin")
    const member = await joinAccount(dashboard, lan, "member@example.com", "member")
    const [ownerId, adminId, memberId] = await Promise.all([owner, admin, member].map(accountOf))
    const forbidden = [403, "role_forbids"]
    const change = (who: TestPerson, id: string, role: string) =>
      who.post(`${api}/members/${id}`, { role }, acting)
    const remove = (who: TestPerson, id: string) =>
      who.post(`${api}/members/${id}/remove`, { revoke_keys: false }, acting)
    const invitation = { email: "x@example.com", role: "owner" }
    assert.deepStrictEqual(codeOf(await admin.post(`${api}/invitations`, invitation, acting)), forbidden)
    assert.deepStrictEqual(codeOf(await change(admin, memberId!, "owner")), forbidden)
    assert.deepStrictEqual(codeOf(await change(admin, adminId!, "owner")), forbidden)
    assert.deepStrictEqual(codeOf(await change(admin, ownerId!, "member")), forbidden)
    assert.deepStrictEqual(codeOf(await remove(admin, ownerId!)), forbidden)
    assert.deepStrictEqual(codeOf(await remove(admin, account)), forbidden)
    assert.deepStrictEqual(codeOf(await change(owner, account, "member")), [409, "founder_stays"])
    assert.deepStrictEqual(codeOf(await remove(owner, account)), [409, "founder_stays"])
    assert.deepStrictEqual(codeOf(await lan.post(`${api}/memberships/${account}/leave`)), [
      409,
      "founder_stays"
    ])
    assert.strictEqual((await change(owner, memberId!, "billing")).status, 200)
    assert.strictEqual((await change(admin, memberId!, "member")).status, 200)
    assert.strictEqual((await change(owner, adminId!, "owner")).status, 200)
    assert.strictEqual((await remove(admin, ownerId!)).status, 200)
    assert.strictEqual((await admin.post(`${api}/memberships/${account}/leave`)).status, 200)
    assert.deepStrictEqual(codeOf(await admin.get(`${api}/members`, acting)), [403, "not_a_member"])
  })

  it("who all remove and demote each other at once leave whose account it is", async () => {
    const founder = await signUpPerson(dashboard, "founder@example.com")
    const id = await accountOf(founder)
    const as = actingFor(id)
    for (let round = 0; round < 3; round++) {
      const others = [
        await joinAccount(dashboard, founder, `co-${round}-1@example.com`, "owner"),
        await joinAccount(dashboard, founder, `co-${round}-2@example.com`, "owner")
      ]
      const ids = await Promise.all(others.map(accountOf))
      const path = (who: string) => `${api}/members/${who}`
      await Promise.all([
        others[0]!.post(`${path(ids[1]!)}/remove`, { revoke_keys: false }, as),
        others[1]!.post(path(ids[0]!), { role: "member" }, as),
        others[0]!.post(`${path(id)}/remove`, { revoke_keys: false }, as),
        others[1]!.post(path(id), { role: "billing" }, as),
        founder.post(path(id), { role: "member" }),
        founder.post(`${api}/memberships/${id}/leave`)
      ])
      const { members } = (await founder.get(`${api}/members`)).body
      assert.deepInclude(members[0], { id, role: "owner" })
    }
  })

  it("of an operator's account do not become operators by it", async () => {
    const operator = await signUpOperator(dashboard, "operator@example.com")
    const owner = await joinAccount(dashboard, operator, "of-operator@example.com", "owner")
    const ofOperator = actingFor(await accountOf(operator))
    assert.strictEqual((await owner.get(`${api}/operator/audit`, ofOperator)).status, 404)
    const body = {
      name: "t",
      scopes: ["operator:read"],
      expires_at: Date.now() + 86_400_000,
      password: testPassword
    }
    assert.deepStrictEqual(codeOf(await owner.post(`${api}/tokens`, body, ofOperator)), [400, "invalid"])
    const own = await operator.post(`${api}/tokens`, body)
    assert.strictEqual((await askByToken(own.body.token, "/operator/audit")).status, 200)
    await dashboard.sql`update management_tokens set made_by = (select id from accounts where email = 'of-operator@example.com')
      where id = ${own.body.id}`
    assert.strictEqual((await askByToken(own.body.token, "/operator/audit")).status, 404)
  })
})

describe("a member", () => {
  it("is gone at once when removed: sessions, tokens, streams, and keys where that is asked for", async () => {
    const billing = await joinAccount(dashboard, lan, "gone@example.com", "billing")
    const member = await joinAccount(dashboard, lan, "gone-2@example.com", "member")
    const token = await makeToken(billing, ["billing:read"])
    assert.strictEqual((await askByToken(token, "/statement")).status, 200)
    const order = (await billing.post(`${api}/top-ups`, { amount: 100_000 }, acting)).body
    const stream = await fetch(
      `${dashboard.url}${api}/top-ups/${order.id}/events?x-tollgate-account=${account}`,
      { headers: { cookie: billing.cookie } }
    )
    const reader = stream.body!.getReader()
    assert.include(new TextDecoder().decode((await reader.read()).value), order.code)
    const key = (await member.post(`${api}/keys`, { name: "k", rate_limit_per_minute: 0 }, acting)).body

    const [billingId, memberId] = [await accountOf(billing), await accountOf(member)]
    await lan.post(`${api}/members/${billingId}/remove`, { revoke_keys: false })
    while (!(await reader.read()).done);
    assert.strictEqual((await askByToken(token, "/statement")).status, 401)
    assert.deepStrictEqual(codeOf(await billing.get(`${api}/statement`, acting)), [403, "not_a_member"])
    assert.strictEqual((await billing.get(`${api}/statement`)).status, 200)
    const { person } = (await billing.get(`${api}/session`, acting)).body
    assert.deepStrictEqual([person.acting.account_id, person.accounts.length], [billingId, 1])

    await lan.post(`${api}/members/${memberId}/remove`, { revoke_keys: true })
    const { keys } = (await lan.get(`${api}/keys`)).body
    assert.strictEqual(keys.find(({ id }: { id: string }) => id === key.id).status, "revoked")
  })

  it("has a token that may what they may now", async () => {
    const admin = await joinAccount(dashboard, lan, "demoted@example.com", "admin")
    const token = await makeToken(admin, ["alerts:read", "keys:read"])
    const statuses = async () =>
      Promise.all(["/alerts", "/keys"].map(async (path) => (await askByToken(token, path)).status))
    assert.deepStrictEqual(await statuses(), [200, 200])
    const id = await accountOf(admin)
    await lan.post(`${api}/members/${id}`, { role: "member" })
    assert.deepStrictEqual(await statuses(), [403, 200])
    await dashboard.sql`update accounts set status = 'disabled' where id = ${id}`
    assert.deepStrictEqual(await statuses(), [403, 403])
  })

  it("makes no key in the moment in which they are removed", async () => {
    const member = await joinAccount(dashboard, lan, "racing@example.com", "member")
    const id = await accountOf(member)
    const [made] = await Promise.all([
      Promise.all(
        Array.from({ length: 4 }, () =>
          member.post(`${api}/keys`, { name: "race", rate_limit_per_minute: 0 }, acting)
        )
      ),
      lan.post(`${api}/members/${id}/remove`, { revoke_keys: true })
    ])
    assert.isNotEmpty(made)
    const rows = await dashboard.sql`select from keys where made_by = ${id} and status = 'active'`
    assert.lengthOf(rows, 0)
  })
})

describe("the audit log", () => {
  it("tells who came, changed and went", async () => {
    const owner = await signUpPerson(dashboard, "told@example.com")
    const member = await joinAccount(dashboard, owner, "told-member@example.com", "member")
    const id = await accountOf(member)
    await owner.post(`${api}/members/${id}`, { role: "billing" })
    await member.post(`${api}/memberships/${await accountOf(owner)}/leave`)
    const rows = await dashboard.sql`
      select action, actor, detail->>'role' as role from audit_log
      where detail->>'account_id' = ${await accountOf(owner)} order by audit_log.id`
    assert.deepStrictEqual(
      rows.map(({ action, actor, role }) => [action, actor, role]),
      [
        ["invitation.create", await accountOf(owner), "member"],
        ["invitation.accept", id, "member"],
        ["member.role", await accountOf(owner), "billing"],
        ["member.leave", id, null]
      ]
    )
  })
})
