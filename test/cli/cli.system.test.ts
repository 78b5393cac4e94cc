/** Every command as people and programs run it, and what holds of the process that it is. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execFile, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { catalogue } from "../catalogue.ts"
import { writeDashboardUrl } from "../../src/storage/SettingsStore.ts"
import { openSql, withSql } from "../storage/with-sql.ts"
import { runProcess, useCommands } from "./use-commands.ts"

let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tollgate-cli-"))
  chmodSync(dataDir, 0o755)
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const commands = useCommands(() => ({ DATA_DIR: dataDir }))
const environment = () => ({ DATA_DIR: dataDir, DATABASE_URL: commands.databaseUrl })

const run = (args: ReadonlyArray<string>) => commands.run(...args)

/** As a process of its own, for what holds of that. */
const runAlone = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = environment()) =>
  runProcess(args, { DATA_DIR: dataDir, ...more })

/** The answer of a command that succeeds, which is one line of JSON and nothing else. */
const json = async <A = Record<string, unknown>>(args: ReadonlyArray<string>): Promise<A> =>
  commands.json(...args)
const jsonOf = async (args: ReadonlyArray<string>): Promise<Record<string, unknown>> => {
  const { status, stderr, stdout } = await runAlone([...args, "--json"], {})
  assert.deepStrictEqual([status, stderr], [0, ""])
  return JSON.parse(stdout) as Record<string, unknown>
}

const account = "owner@example.vn"

describe("tollgate", () => {
  it("serves an account from opening to revoked key, each answer as promised", async () => {
    const created = await json(["account", "create", "--email", account, "--credit", "50000"])
    assert.match(String(created["account_id"]), /^acc_/)
    assert.deepStrictEqual(created, {
      account_id: created["account_id"],
      email: account,
      balance_vnd: "50000"
    })

    const made = await json([
      "key",
      "create",
      "--account",
      account,
      "--name",
      "my laptop",
      "--rate-limit",
      "60"
    ])
    const keyId = String(made["key_id"])
    assert.match(String(made["key"]), /^sk-tg-[0-9A-Za-z]{38}$/)
    assert.deepStrictEqual(made, { key_id: keyId, key: made["key"], name: "my laptop" })

    const [listed, ...others] = await json<Array<Record<string, unknown>>>([
      "key",
      "list",
      "--account",
      account
    ])
    assert.strictEqual(others.length, 0)
    assert.match(String(listed!["created_at"]), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    assert.deepStrictEqual(listed, {
      key_id: keyId,
      name: "my laptop",
      status: "active",
      created_at: listed!["created_at"],
      last_used_at: null,
      spent_vnd: "0",
      rate_limit_per_minute: 60,
      budget_vnd: null,
      budget_period: null,
      budget_spent_vnd: null,
      models: null,
      endpoints: null,
      allowed_ips: null,
      expires_at: null,
      paused: false,
      former_secret_until: null
    })
    assert.deepStrictEqual(await json(["key", "show", keyId]), { ...listed, key: made["key"] })

    const set = "--budget 50000 --budget-period day --models claude-* --allowed-ips 10.0.0.0/8".split(" ")
    const updated = await json(["key", "update", keyId, "--name", "her laptop", ...set])
    assert.deepStrictEqual(updated, {
      ...listed,
      name: "her laptop",
      budget_vnd: "50000",
      budget_period: "day",
      budget_spent_vnd: "0",
      models: ["claude-*"],
      allowed_ips: ["10.0.0.0/8"]
    })
    const more = await json(["key", "update", keyId, "--budget", "60000"])
    assert.deepStrictEqual([more["budget_vnd"], more["budget_period"]], ["60000", "day"])
    const monthly = await json(["key", "update", keyId, "--budget-period", "month"])
    assert.deepStrictEqual([monthly["budget_vnd"], monthly["budget_period"]], ["60000", "month"])
    const nothing = "--budget none --models none --allowed-ips none".split(" ")
    const freed = await json(["key", "update", keyId, ...nothing])
    assert.deepStrictEqual(freed, { ...listed, name: "her laptop" })
    for (const [limit, kept] of Object.entries({ none: 0, 5: 5, 0: 0 })) {
      const { rate_limit_per_minute } = await json(["key", "update", keyId, "--rate-limit", limit])
      assert.strictEqual(rate_limit_per_minute, kept)
    }
    assert.match((await run(["key", "update", keyId, "--rate-limit", "1.5"])).stderr, /whole number of calls/)
    assert.deepStrictEqual(await json(["key", "pause", keyId]), { key_id: keyId, paused: true })
    assert.deepStrictEqual(await json(["key", "resume", keyId]), { key_id: keyId, paused: false })
    const rotated = await json(["key", "rotate", keyId, "--overlap", "12h"])
    assert.notStrictEqual(rotated["key"], made["key"])
    assert.strictEqual(rotated["overlap_seconds"], 43_200)
    assert.strictEqual((await run(["key", "rotate", keyId, "--overlap", "8d"])).status, 1)
    assert.strictEqual((await json(["key", "show", keyId]))["key"], rotated["key"])

    assert.deepStrictEqual(await json(["key", "revoke", keyId]), { key_id: keyId, status: "revoked" })
    const gone = await run(["key", "show", keyId, "--json"])
    assert.deepStrictEqual([gone.status, gone.stdout], [1, ""])
    assert.match(gone.stderr, /^tollgate: .*revoked.*\n$/)
  })

  it("credits and corrects a wallet, and shows it", async () => {
    const wallet = (args: string) => ["wallet", ...args.split(" "), "--account", account]
    assert.deepStrictEqual(await json(wallet("credit --amount 0.83 --reason gift")), {
      balance_vnd: "50000.83",
      held_vnd: "0"
    })
    const correction = wallet("credit --amount -5.000 --reason slip --id slip-of-november")
    const balance = "balance 45,000.83 VND, of which 0 VND are held"
    assert.strictEqual((await run(correction)).stdout, `-5,000 VND → ${balance}\n`)
    assert.strictEqual((await run(correction)).stdout, `booked before → ${balance}\n`)
    const refused = await run(wallet("credit --amount -50k --reason slip"))
    assert.strictEqual(refused.status, 1)
    assert.strictEqual(
      refused.stderr,
      "tollgate: The balance is 45000.83 VND, and the correction would take it below zero, which --force lets it\n"
    )
    assert.deepStrictEqual(await json(wallet("show")), { balance_vnd: "45000.83", held_vnd: "0" })
  })

  it("turns maintenance on and off", async () => {
    assert.deepStrictEqual(await json(["maintenance", "on"]), { maintenance: true })
    assert.deepStrictEqual(await json(["maintenance", "status"]), { maintenance: true })
    assert.deepStrictEqual(await json(["maintenance", "off"]), { maintenance: false })
  })

  it("lists the models as the service does", async () => {
    const list = await json<{ data: Array<unknown>; has_more: boolean }>(["models"])
    assert.deepStrictEqual([list.data.length, list.has_more], [catalogue.models.length, false])
  })

  it("exports usage as CSV, also with --json, and to a reader that leaves early", async () => {
    const exportOf = (from: string) =>
      run(["usage", "export", "--account", account, "--from", from, "--json"])
    const [empty, refused] = await Promise.all([exportOf("2026-11-01"), exportOf("yesterday")])
    assert.match(empty.stdout, /^time,request_id,key_id,key_name,endpoint,[a-z_,]+\n$/)
    assert.deepStrictEqual([refused.status, refused.stdout], [1, ""])
    assert.match(refused.stderr, /--from/)

    const child = spawn(process.execPath, ["src/main.ts", "usage", "export", "--account", account], {
      env: { PATH: process.env["PATH"] ?? "", ...environment() },
      stdio: ["ignore", "pipe", "inherit"]
    })
    child.stdout.destroy()
    assert.strictEqual(await new Promise((resolve) => child.on("exit", resolve)), 0)
  })

  it("audits with status 0 when the books agree and 1 when they do not", async () => {
    const report = await json(["audit"])
    assert.deepStrictEqual(report, { ok: true, wallets: 1, entries: 3, calls: 0, violations: [] })
    assert.strictEqual((await run(["audit"])).stdout, "The books agree: 1 wallet, 3 entries, 0 calls\n")
    const sql = openSql(commands.databaseUrl)
    const change = (by: number) => sql`update wallets set booked_micro_vnd = booked_micro_vnd + ${by}`
    try {
      await change(1)
      const { status, stderr, stdout } = await runAlone(["audit", "--json"])
      assert.strictEqual(status, 1)
      const found = JSON.parse(stdout) as { ok: boolean; violations: Array<unknown> }
      assert.deepStrictEqual([found.ok, found.violations.length], [false, 1])
      assert.match(stderr, /do not agree: 1 violation\n/)
      await change(-1)
    } finally {
      await sql.end()
    }
  })

  it("answers wrong usage with status 2 and says what is wrong", async () => {
    const credit = ["wallet", "credit", "--account", account, "--reason", "r", "--amount"]
    const outcomes = await Promise.all([
      runAlone([]),
      run(["nonsense"]),
      runAlone(["audit", "--bogus"]),
      run(["key", "list"]),
      run([...credit, "much"]),
      run([...credit, "12.345"])
    ])
    assert.deepStrictEqual(
      outcomes.map(({ status }) => status),
      [2, 2, 2, 2, 2, 2]
    )
    const said = [
      /^$/,
      /nonsense/,
      /--bogus/,
      /--account/,
      /amount of dong/,
      /12345 for thousands, or 12.3450/
    ]
    for (const [index, pattern] of said.entries()) assert.match(outcomes[index]!.stderr, pattern)
  })

  it("answers what can not be done with one line and status 1", async () => {
    const outcomes = await Promise.all([
      run(["wallet", "show", "--account", "nobody@example.vn", "--json"]),
      runAlone(["key", "revoke", "key_none", "--json"]),
      run(["account", "create", "--email", account.toUpperCase(), "--json"]),
      run(["account", "create", "--email", "nobody", "--json"]),
      run(["key", "create", "--account", account, "--name", " ", "--json"])
    ])
    const said = [
      /no account nobody/,
      /no key key_none/,
      /already an account/,
      /not an email/,
      /must not be empty/
    ]
    for (const [index, pattern] of said.entries()) {
      const { status, stderr, stdout } = outcomes[index]!
      assert.deepStrictEqual([status, stdout], [1, ""])
      assert.match(stderr, /^[^\n]+\n$/)
      assert.match(stderr, pattern)
    }
  })

  it("names a bad setting, and a database that does not answer", async () => {
    const [setting, away] = await Promise.all([
      runAlone(["audit"], { PORT: "many" }),
      runAlone(["audit"], { DATABASE_URL: "postgres://127.0.0.1:1/none" })
    ])
    assert.deepStrictEqual(
      [setting.status, setting.stderr],
      [1, "tollgate: Bad setting PORT: must be a number\n"]
    )
    // Also `serve`, which takes --json like every command.
    assert.deepStrictEqual(await runAlone(["serve", "--json"], { PORT: "many" }), setting)
    assert.strictEqual(away.status, 1)
    assert.match(away.stderr, /^tollgate: [^\n]*ECONNREFUSED[^\n]*\n$/)
  })

  it("runs its own database where there is no server, keeps it, and lets commands wait for each other", async () => {
    await jsonOf(["account", "create", "--email", account, "--credit", "7"])
    const keys = await Promise.all(
      ["first", "second"].map((name) => jsonOf(["key", "create", "--account", account, "--name", name]))
    )
    const shown = await jsonOf(["key", "show", String(keys[0]!["key_id"])])
    assert.strictEqual(shown["key"], keys[0]!["key"])
    assert.strictEqual(statSync(join(dataDir, "seal.key")).mode & 0o777, 0o600)
    assert.isFalse(existsSync(join(dataDir, "tollgate.lock")))
    assert.strictEqual(Buffer.from(readFileSync(join(dataDir, "seal.key"), "utf8"), "base64").length, 32)
  })

  it("runs through its launcher with the Node of the project", async () => {
    const outcome = await new Promise<string>((resolve) => {
      execFile(process.execPath, ["src/cli/tollgate.mjs", "--version"], (_, stdout) => resolve(stdout))
    })
    assert.match(outcome, /^tollgate v\d/)
  })

  it("lets people into an account that has no password, by a link or by one that is long enough", async () => {
    const email = "ops@example.com"
    const made = await run(["account", "create", "--email", email, "--operator"])
    assert.match(made.stdout, /Nobody can sign in to it yet: .* set-password/)
    const give = ["account", "set-password", "--account", email]
    assert.match(String((await json(give))["link"]), /\/dashboard\/reset\?token=\w+$/)
    // What the server says of itself when it starts, whichever port it was given.
    await withSql(commands.databaseUrl, (sql) => writeDashboardUrl(sql, "http://127.0.0.1:4321"))
    assert.match(String((await json(give))["link"]), /^http:\/\/127\.0\.0\.1:4321\/dashboard\/reset\?token=/)
    const elsewhere = await runAlone([...give, "--json"], {
      ...environment(),
      PUBLIC_URL: "https://ai.example.vn"
    })
    assert.match(elsewhere.stdout, /"https:\/\/ai\.example\.vn\/dashboard\/reset/)
    assert.deepStrictEqual(await json([...give, "--password", "long enough"]), { email, link: null })
    assert.match((await run([...give, "--password", "short"])).stderr, /must have 10 to/)
  })
})
