import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { awaitNodes } from "../../src/accounts/await-nodes.ts"
import { createKey, type KeySettings, rotateKey, updateKey } from "../../src/accounts/keys.ts"
import { setMemberBudget } from "../../src/accounts/member-budgets.ts"
import { formatVnd } from "../../src/domain/money.ts"
import { readDashboardUrl, writeOverride } from "../../src/storage/SettingsStore.ts"
import { catalogue, modelNamed } from "../catalogue.ts"
import { readAnswer } from "./ask.ts"
import { endpoints, expectError } from "./endpoints.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"
import { until } from "../until.ts"

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ env: { DASHBOARD: "on" } })
})
afterAll(() => gateway.stop())

const ask = (key: string, body: unknown, path = "/v1/messages") =>
  fetch(gateway.url + path, { method: "POST", headers: { "x-api-key": key }, body: JSON.stringify(body) })

const hello = { model: "claude-sonnet-5", max_tokens: 64, messages: [{ role: "user", content: "Hello" }] }

describe("a first call", () => {
  it("is answered, charged to the micro-dong and logged as its headers say", async () => {
    const { accountId, key } = await gateway.account("1000")
    const answer = await ask(key, hello)
    assert.strictEqual(answer.status, 200)
    const body = (await answer.json()) as { usage: { input_tokens: number; output_tokens: number } }
    const tokens = body.usage.input_tokens + body.usage.output_tokens
    const [row] = await gateway.calls(accountId, 1)
    assert.strictEqual(row!.id, answer.headers.get("request-id"))
    assert.strictEqual(row!.cost_micro_vnd, BigInt(tokens) * 6500n)
    assert.strictEqual(answer.headers.get("x-svc-cost-vnd"), String((tokens * 6500) / 1e6))
    assert.strictEqual(await gateway.balance(accountId), 1_000_000_000n - row!.cost_micro_vnd)
  })

  it("of a model that is taken off the list is 404, by its id and by an alias, and is nobody else's", async () => {
    const { accountId, key } = await gateway.account("1000")
    const setSold = async (isSold: boolean) => {
      const change = { disabled: !isSold }
      const told = await gateway.sql((sql) => writeOverride(sql, modelNamed("claude-opus-5"), change, "test"))
      await gateway.run(awaitNodes(told))
    }
    await setSold(false)
    for (const model of ["claude-opus-5", "opus"]) {
      const refused = await ask(key, { ...hello, model })
      assert.strictEqual(refused.status, 404)
      await refused.text()
    }
    await setSold(true)
    const answer = await ask(key, { ...hello, model: "opus" })
    assert.deepStrictEqual([answer.status, answer.headers.get("x-svc-model")], [200, "claude-opus-5"])
    await answer.text()
    const rows = await gateway.calls(accountId, 3)
    assert.deepStrictEqual(
      rows.map(({ model, status }) => [status, model]),
      [
        [404, ""],
        [404, ""],
        [200, "claude-opus-5"]
      ]
    )
  })

  it("comes to where the server says that it is, also to the commands that make links", async () => {
    assert.strictEqual(await gateway.sql(readDashboardUrl), gateway.url)
  })

  it("that the wallet can not pay is refused with 402 and a way to pay, and works at once after a top-up", async () => {
    const { accountId, key } = await gateway.account("0")
    const refused = await ask(key, hello)
    assert.strictEqual(refused.status, 402)
    const { error } = (await refused.json()) as { error: { type: string; message: string } }
    assert.strictEqual(error.type, "insufficient_balance")
    assert.include(error.message, `${gateway.url}/dashboard/topup`)
    await gateway.credit(accountId, "100")
    assert.strictEqual((await ask(key, hello)).status, 200)
  })
})

const errorOf = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: { type: string; message: string } }
  return [answer.status, error.type, error.message] as const
}
const set = (keyId: string, settings: Partial<KeySettings>) => gateway.run(updateKey(keyId, settings, "test"))
const get = async (key: string, path: string) => {
  const answer = await fetch(gateway.url + path, { headers: { authorization: `Bearer ${key}` } })
  // oxlint-disable-next-line typescript/no-explicit-any -- The shape is what the tests are about.
  return { status: answer.status, body: (await answer.json()) as any }
}

describe("a key on which something is set", () => {
  it("is refused with what is allowed, from the moment the change is confirmed", async () => {
    const { key, keyId } = await gateway.account()
    assert.strictEqual((await ask(key, hello)).status, 200)
    const refusals: ReadonlyArray<readonly [Partial<KeySettings>, number, string, RegExp]> = [
      [{ models: ["gpt-*"] }, 403, "permission_error", /only: gpt-\*/],
      [{ models: null, endpoints: ["responses"] }, 403, "permission_error", /only for: responses/],
      [{ endpoints: null, allowedIps: ["203.0.113.0/24"] }, 403, "permission_error", /203\.0\.113\.0\/24/],
      [{ allowedIps: ["127.0.0.0/8", "::1"], paused: true }, 401, "authentication_error", /paused/],
      [{ paused: false, expiresAt: new Date(Date.now() - 1) }, 401, "authentication_error", /expired/]
    ]
    for (const [settings, status, type, message] of refusals) {
      await set(keyId, settings)
      const refused = await errorOf(await ask(key, hello))
      assert.deepStrictEqual(refused.slice(0, 2), [status, type])
      assert.match(refused[2], message)
    }
    await set(keyId, { expiresAt: null })
    assert.strictEqual((await ask(key, hello)).status, 200)
    assert.strictEqual((await ask(key, hello)).status, 200)
  })

  it("spends no more than its budget, plainly and in a stream, and says when it begins anew", async () => {
    const budget = { amount: 1_000_000n, period: "month" } as const
    const { accountId, key, keyId } = await gateway.account("50000", { budget })
    const stream = { ...hello, stream: true, max_tokens: 4_000 }
    const long = { ...stream, messages: [{ role: "user", content: "[sim: tokens=3000 interval=0]" }] }
    const cut = await (await ask(key, long)).text()
    assert.include(cut, "insufficient_balance")
    assert.match(cut, /budget of this API key is spent\. It begins anew at \d{4}-\d\d-01T00:00:00\+07:00/)
    const [row] = await gateway.calls(accountId, 1)
    assert.strictEqual(row!.status, 402)
    assert.isAtMost(Number(row!.cost_micro_vnd), 1_000_000)
    assert.isAtLeast(Number(row!.cost_micro_vnd), 500_000)
    const image = { ...hello, messages: [{ role: "user", content: "word ".repeat(400) }] }
    const refused = await errorOf(await ask(key, image))
    assert.deepStrictEqual(refused.slice(0, 2), [402, "insufficient_balance"])
    assert.match(refused[2], /begins anew at/)
    const { body } = await get(key, "/v1/balance")
    const spent = formatVnd(row!.cost_micro_vnd)
    assert.deepInclude(body, { held_vnd: "0", balance_vnd: formatVnd(50_000_000_000n - row!.cost_micro_vnd) })
    assert.deepInclude(body.key, { id: keyId, budget_vnd: "1", budget_period: "month", spent_vnd: spent })
    assert.match(body.key.resets_at, /-01T00:00:00\+07:00$/)
    const limit = (await get(key, "/v1/dashboard/billing/subscription")).body.hard_limit_usd
    const used = (await get(key, "/v1/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-02-01"))
      .body.total_usage
    assert.deepStrictEqual([limit, used], [1, Number(formatVnd(row!.cost_micro_vnd * 100n))])
  })

  it("spends no more than its maker's budget, whichever of their keys it is, and says whose is spent", async () => {
    const { accountId } = await gateway.account("50000")
    const made = createKey({ accountId, madeBy: accountId, name: "test", actor: "test" })
    const [one, other] = [(await gateway.run(made)).secret, (await gateway.run(made)).secret]
    const budget = { amount: 1_000_000n, period: "week" } as const
    await gateway.run(setMemberBudget({ accountId, by: accountId, actor: "test" }, accountId, budget))
    const long = { ...hello, stream: true, max_tokens: 4_000 }
    const content = "[sim: tokens=3000 interval=0]"
    const cut = await (await ask(one, { ...long, messages: [{ role: "user", content }] })).text()
    const whose =
      /budget of the member who made this API key is spent\. It begins anew at .*\/dashboard\/members/
    assert.match(cut, whose)
    const [row] = await gateway.calls(accountId, 1)
    assert.isAtMost(Number(row!.cost_micro_vnd), 1_000_000)
    const large = { ...hello, messages: [{ role: "user", content: "word ".repeat(400) }] }
    const refused = await errorOf(await ask(other, large))
    assert.deepStrictEqual(refused.slice(0, 2), [402, "insufficient_balance"])
    assert.match(refused[2], whose)
    const { body } = await get(other, "/v1/balance")
    const spent = formatVnd(row!.cost_micro_vnd)
    assert.deepInclude(body.member, { budget_vnd: "1", budget_period: "week", spent_vnd: spent })
    assert.strictEqual(body.key.spent_vnd, "0")
    const plan = (await get(other, "/v1/dashboard/billing/subscription")).body
    assert.strictEqual(plan.hard_limit_usd, 1)
  })

  it("takes its former secret for the overlap, and not without one, under load", async () => {
    const { key, keyId } = await gateway.account()
    const statuses = new Map<string, Array<number>>()
    const load = { goesOn: true }
    const call = async (secret: string) => {
      const { status } = await ask(secret, hello)
      statuses.set(secret, [...(statuses.get(secret) ?? []), status])
      return status
    }
    const callers = Array.from({ length: 4 }, async () => {
      while (load.goesOn) await call(key)
    })
    await until(() => (statuses.get(key)?.length ?? 0) >= 20)
    const second = (await gateway.run(rotateKey(keyId, { overlapSeconds: 60, actor: "test" }))).secret
    assert.deepStrictEqual([await call(second), await call(key)], [200, 200])
    load.goesOn = false
    await Promise.all(callers)
    assert.deepStrictEqual([...new Set(statuses.get(key))], [200])
    const third = (await gateway.run(rotateKey(keyId, { overlapSeconds: 0, actor: "test" }))).secret
    assert.deepStrictEqual([await call(third), await call(second), await call(key)], [200, 401, 401])
    assert.strictEqual(await call(third), 200)
  })
})

describe("what a key is told of its money", () => {
  it("is told with an empty wallet, and of its own account alone", async () => {
    const { accountId, key, keyId } = await gateway.account("1000")
    await ask(key, hello)
    const [row] = await gateway.calls(accountId, 1)
    const cost = formatVnd(row!.cost_micro_vnd)
    for (const [group, name] of [
      ["model", "claude-sonnet-5"],
      ["key", keyId],
      ["day", undefined]
    ] as const) {
      const { body } = await get(key, `/v1/usage?group_by=${group}`)
      assert.strictEqual(body.total.cost_vnd, cost)
      assert.lengthOf(body.data, 1)
      assert.deepInclude(body.data[0], { calls: 1, cost_vnd: cost })
      if (name !== undefined) assert.include(Object.values(body.data[0]), name)
    }
    const empty = await gateway.account("0")
    assert.deepInclude((await get(empty.key, "/v1/balance")).body, { balance_vnd: "0", available_vnd: "0" })
    assert.deepStrictEqual((await get(empty.key, "/v1/usage")).body.data, [])
    assert.strictEqual((await get(empty.key, "/v1/dashboard/billing/subscription")).body.hard_limit_usd, 0)
  })

  it("is told of whole hours, and of which", async () => {
    const { accountId, key } = await gateway.account("1000")
    await ask(key, hello)
    const [{ at }] = await gateway.sql(
      (sql) => sql<[{ at: Date }]>`select at from calls where account_id = ${accountId}`
    )
    const moment = (ms: number) => encodeURIComponent(new Date(at.getTime() + ms).toISOString())
    const { body } = await get(key, `/v1/usage?from=${moment(-1)}&to=${moment(1)}`)
    assert.strictEqual(body.total.calls, 1)
    const [from, to] = [Date.parse(body.from), Date.parse(body.to)]
    assert.deepStrictEqual([from % 3_600_000, to % 3_600_000], [0, 0])
    assert.isTrue(from <= at.getTime() && at.getTime() < to)
    const usual = (await get(key, "/v1/usage")).body
    assert.deepStrictEqual([usual.total.calls, Date.parse(usual.from) % 3_600_000], [1, 0])
  })

  it("is refused without a key, and where the question is wrong", async () => {
    const { key } = await gateway.account("0")
    for (const path of ["/v1/balance", "/v1/usage", "/v1/dashboard/billing/usage"]) {
      assert.strictEqual((await get("no key", path)).status, 401)
    }
    for (const query of [
      "group_by=hour",
      "from=yesterday",
      "from=2020-01-01",
      "from=2026-02-01&to=2026-01-01",
      "from=9999-01-01"
    ]) {
      assert.strictEqual((await get(key, `/v1/usage?${query}`)).status, 400, query)
    }
    assert.strictEqual((await fetch(`${gateway.url}/v1/balance`, { method: "POST" })).status, 405)
  })
})

describe("the root", () => {
  it("leads browsers to the dashboard and tells programs what is here", async () => {
    const visit = (accept: string) => fetch(`${gateway.url}/`, { headers: { accept }, redirect: "manual" })
    const browser = await visit("text/html,application/xhtml+xml,*/*;q=0.8")
    assert.deepStrictEqual([browser.status, browser.headers.get("location")], [302, "/dashboard"])
    assert.deepStrictEqual(await (await visit("*/*")).json(), { service: "tollgate" })
  })

  it("has the address by which password managers lead people to where they change theirs", async () => {
    const change = await fetch(`${gateway.url}/.well-known/change-password`, { redirect: "manual" })
    assert.deepStrictEqual([change.status, change.headers.get("location")], [302, "/dashboard/account"])
    assert.strictEqual((await fetch(`${gateway.url}/.well-known/none-that-there-is`)).status, 404)
  })
})

describe("an empty wallet", () => {
  it("is 402 on every paid endpoint, points to the top-up, and still lists models and counts tokens", async () => {
    const { accountId, key } = await gateway.account("0")
    for (const [path, body, family] of endpoints) {
      for (const stream of [false, true]) {
        if (path === "/v1/messages/count_tokens" || (stream && path.startsWith("/v1/images/"))) continue
        const answer = await readAnswer(await ask(key, { ...body, ...(stream && { stream }) }, path))
        const error = expectError(answer, 402, "insufficient_balance", family)
        assert.include(error.message, `${gateway.url}/dashboard/topup`)
      }
    }
    assert.strictEqual((await ask(key, hello, "/v1/messages/count_tokens")).status, 200)
    const listed = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    const { data } = (await listed.json()) as { data: ReadonlyArray<unknown> }
    assert.strictEqual(data.length, catalogue.models.length)
    const rows = await gateway.calls(accountId, 11)
    assert.isTrue(rows.every((row) => row.cost_micro_vnd === 0n))
    assert.deepStrictEqual([...new Set(rows.map(({ status }) => status))].toSorted(), [200, 402])
  })
})
