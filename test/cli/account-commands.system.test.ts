/** The commands for an account's management tokens and alerts, as people and programs run them. */
import { assert, describe, it } from "@effect/vitest"
import { scryptSync } from "node:crypto"
import { withSql } from "../storage/with-sql.ts"
import { useCommands } from "./use-commands.ts"

const commands = useCommands()
const run = (args: string) => commands.run(...args.split(" "))

const account = "may@example.vn"

describe("tollgate token", () => {
  it("creates a token, lists it without its secret, and revokes it", async () => {
    await run(`account create --email ${account}`)
    const create = `token create --account ${account} --name report --scopes usage:read,keys:read`
    const made = JSON.parse((await run(`${create} --days 7 --json`)).stdout)
    assert.match(made.token, /^tg-mgmt-[0-9A-Za-z]{40}$/)
    assert.deepStrictEqual(made.scopes, ["usage:read", "keys:read"])
    const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000
    assert.isTrue(days > 6.9 && days <= 7)

    const listed = await run(`token list --account ${account}`)
    assert.include(listed.stdout, "usage:read,keys:read")
    assert.notInclude(listed.stdout, made.token)
    const revoked = await run(`token revoke ${made.token_id}`)
    assert.strictEqual(revoked.stdout, `Revoked token ${made.token_id}\n`)
    const [entry] = JSON.parse((await run(`token list --account ${account} --json`)).stdout)
    assert.isNotNull(entry.revoked_at)
  })

  it("refuses scopes that there are not or that are not the account's, too long a life, and unknown ids", async () => {
    const create = `token create --account ${account} --name report`
    const unknown = await run(`${create} --scopes everything`)
    assert.strictEqual(unknown.status, 2)
    assert.match(unknown.stderr, /usage:read/)
    const foreign = await run(`${create} --scopes operator:read`)
    assert.deepStrictEqual(
      [foreign.status, foreign.stderr],
      [1, "tollgate: The scopes of operators are for operators, as far as their role goes\n"]
    )
    const long = await run(`${create} --scopes usage:read --days 400`)
    assert.strictEqual(long.status, 1)
    const gone = await run("token revoke tok_none")
    assert.deepStrictEqual([gone.status, gone.stderr], [1, "tollgate: There is no token tok_none\n"])
  })
})

describe("tollgate account role", () => {
  it("gives a role and takes it, but the last owner's", async () => {
    await run("account create --email owner@example.vn --operator")
    await run("account create --email thu@example.vn")
    const given = await run("account role thu@example.vn support")
    assert.deepStrictEqual([given.status, given.stdout], [0, "thu@example.vn has the role support\n"])
    const taken = JSON.parse((await run("account role thu@example.vn none --json")).stdout)
    assert.deepStrictEqual(taken, { email: "thu@example.vn", role: null })
    const last = await run("account role owner@example.vn finance")
    assert.deepStrictEqual(
      [last.status, last.stderr],
      [1, "tollgate: Nobody else who can sign in is an owner: make somebody one first\n"]
    )
    assert.strictEqual((await run("account role thu@example.vn king")).status, 2)
  })
})

describe("tollgate account set-email", () => {
  it("gives an account whose address can not be signed in with another, and ends links to the former one", async () => {
    const { databaseUrl } = commands
    await run("account create --email tu@khach.example")
    // As former versions took them.
    await withSql(
      databaseUrl,
      (sql) => sql`update accounts set email = 'từ@khach.example' where email = 'tu@khach.example'`
    )
    const setEmail = (email: string) => run(`account set-email --account từ@khach.example --email ${email}`)
    const taken = await setEmail("May@example.vn")
    assert.deepStrictEqual(
      [taken.status, taken.stderr],
      [1, "tollgate: There is already an account with the email may@example.vn\n"]
    )
    const unusable = await setEmail("tứ@khach.example")
    assert.deepStrictEqual(
      [unusable.status, unusable.stderr],
      [1, "tollgate: The email is none that can be signed in with\n"]
    )
    const link = JSON.parse((await run("account set-password --account từ@khach.example --json")).stdout)
    assert.match(link.link, /\/dashboard\/reset\?token=/)
    const set = await setEmail("Tu@Khach.example")
    assert.deepStrictEqual(
      [set.status, set.stdout],
      [
        0,
        "The account of từ@khach.example has the address tu@khach.example from now on; links that were made before are void\n"
      ]
    )
    const [row] = await withSql(
      databaseUrl,
      (sql) => sql`
        select p.email, p.email_verified as verified, a.email as account,
          (select count(*)::int from verifications v where v.value = a.id) as links,
          (select l.actor from audit_log l where l.subject = a.id and l.action = 'person.email') as actor
        from accounts a join people p on p.id = a.id where a.email like 'tu@%'`
    )
    const email = "tu@khach.example"
    assert.deepStrictEqual({ ...row }, { email, verified: false, account: email, links: 0, actor: "cli" })
  })

  it("knows an account that nobody signs in to yet", async () => {
    await run("account create --email cu@khach.example")
    const set = await run("account set-email --account cu@khach.example --email moi@khach.example --json")
    assert.deepStrictEqual(JSON.parse(set.stdout), {
      email: "moi@khach.example",
      former_email: "cu@khach.example"
    })
    assert.strictEqual((await run("account set-password --account moi@khach.example")).status, 0)
  })
})

describe("tollgate account set-password", () => {
  it("keeps of a password what costs 32 MiB and a tenth of a second to try a guess on", async () => {
    const email = "giu-kin@example.vn"
    await run(`account create --email ${email}`)
    await run(`account set-password --account ${email} --password correct-horse`)
    const [row] = await withSql(
      commands.databaseUrl,
      (sql) =>
        sql`select c.password from credentials c join people p on p.id = c.person_id where p.email = ${email}`
    )
    const [salt, key] = String(row!["password"]).split(":")
    const options = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 }
    assert.strictEqual(key, scryptSync("correct-horse", salt!, 64, options).toString("hex"))
  })
})

describe("tollgate account reset-second-factor", () => {
  it("forgets app, codes and passkeys, ends all sessions, and stands in the audit log", async () => {
    const email = "mat-may@example.vn"
    const { account_id: id } = JSON.parse(
      (await run(`account create --email ${email} --password correct-horse --json`)).stdout
    )
    await withSql(commands.databaseUrl, async (sql) => {
      await sql`update people set two_factor_enabled = true where id = ${id}`
      await sql`insert into two_factors (id, secret, backup_codes, person_id) values ('a', 'a', 'a', ${id})`
      await sql`
        insert into passkeys (id, public_key, person_id, credential_id, counter, device_type, backed_up)
        values ('a', 'a', ${id}, 'a', 0, 'singleDevice', false)`
      await sql`
        insert into sessions (id, person_id, token, expires_at, updated_at)
        values ('a', ${id}, 'a', now() + interval '1 day', now())`
    })
    const reset = await run(`account reset-second-factor --account ${email}`)
    assert.deepStrictEqual(
      [reset.status, reset.stdout],
      [0, `${email} signs in by the password alone from now on, and is signed out everywhere\n`]
    )
    const again = await run(`account reset-second-factor --account ${id} --json`)
    assert.deepStrictEqual(JSON.parse(again.stdout), { email })
    const [left] = await withSql(
      commands.databaseUrl,
      (sql) => sql`
        select two_factor_enabled, (select count(*)::int from two_factors) as apps,
          (select count(*)::int from passkeys) as passkeys, (select count(*)::int from sessions) as sessions,
          (select array_agg(actor || ' ' || action order by id) from audit_log where subject = ${id} and action ~ '^person') as done
        from people where id = ${id}`
    )
    assert.deepStrictEqual(Object.values(left!), [
      false,
      0,
      0,
      0,
      [
        "cli person.password",
        `${id} person.passkey_add`,
        "cli person.reset_factors",
        "cli person.reset_factors"
      ]
    ])
    const nobody = await run("account reset-second-factor --account nobody@example.vn")
    assert.deepStrictEqual([nobody.status, nobody.stdout], [1, ""])
  })
})

describe("tollgate account disable, enable and erase", () => {
  const email = "quen-toi@example.vn"

  it("disables an account and opens it again", async () => {
    const { account_id: id } = JSON.parse((await run(`account create --email ${email} --json`)).stdout)
    const disabled = await run(`account disable --account ${email} --json`)
    assert.deepStrictEqual(JSON.parse(disabled.stdout), { account_id: id, email, status: "disabled" })
    const enabled = await run(`account enable --account ${email}`)
    assert.deepStrictEqual([enabled.status, enabled.stdout], [0, `${email} is enabled\n`])
    const actions = await withSql(
      commands.databaseUrl,
      (sql) => sql`select action from audit_log where subject = ${id} and actor = 'cli' order by id`
    )
    assert.deepStrictEqual(
      actions.map(({ action }) => action),
      ["account.create", "account.disable", "account.enable"]
    )
  })

  it("erases whom it is of, but while it is active", async () => {
    const refused = await run(`account erase --account ${email}`)
    assert.strictEqual(refused.status, 1)
    assert.match(refused.stderr, /is active: disable it first\n$/)
    await run(`account disable --account ${email}`)
    const erased = await run(`account erase --account ${email}`)
    assert.match(erased.stdout, /^quen-toi@example\.vn is erased; the books of acc_\w+ stay\n$/)
    const gone = await run(`wallet show --account ${email}`)
    assert.deepStrictEqual([gone.status, gone.stderr], [1, `tollgate: There is no account ${email}\n`])
  })
})

describe("tollgate alert", () => {
  const alerted = "bao@example.vn"

  it("sets what an account is told of, a part at a time, shows it, and takes it back", async () => {
    await run(`account create --email ${alerted}`)
    const set = `alert set --account ${alerted}`
    await run(`${set} --mail balance.low,key.expiring --email so.cai@example.vn --language en`)
    const changed = JSON.parse((await run(`${set} --below 50000.5 --days-left 7 --json`)).stdout)
    assert.deepStrictEqual(changed, {
      balance_below_vnd: "50000.5",
      days_left: 7,
      mail: ["balance.low", "key.expiring"],
      email: "so.cai@example.vn",
      language: "en",
      webhooks: []
    })
    assert.include((await run(`alert show --account ${alerted}`)).stdout, "Balance below:  50,000.5 VND\n")
    await run(`${set} --below none --mail none --email none`)
    const { stdout } = await run(`alert show --account ${alerted}`)
    assert.match(
      stdout,
      /Balance below: +not told\nDays left: +fewer than 7\nMail: +nothing\nTo: +bao@example.vn/
    )
  })

  it("refuses kinds that there are not, and lists no deliveries where there were none", async () => {
    const unknown = await run(`alert set --account ${alerted} --mail everything`)
    assert.strictEqual(unknown.status, 1)
    assert.match(unknown.stderr, /names what there is none of/)
    assert.strictEqual((await run(`alert deliveries --account ${alerted} --json`)).stdout, "[]\n")
  })
})
