/** Routes that operators add: served by all nodes at once, with keys that nobody is shown. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import {
  addRoute,
  changeRoute,
  removeRoute,
  RouteRefused,
  setRouteSetting
} from "../../src/accounts/routes.ts"
import { ask, messagesCall } from "./ask.ts"
import { type NamedProvider, startNamedProvider } from "./named-provider.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

const [key, newKey] = ["sk-first-secret-of-a-provider", "sk-second-secret-of-a-provider"]
const ranges = ["127.0.0.1"]

let provider: NamedProvider
let another: NamedProvider
let one: TestGateway
let other: TestGateway
let account: TestAccount
beforeAll(async () => {
  provider = await startNamedProvider()
  another = await startNamedProvider()
  const yaml = { webhooks: { private_ranges: ranges } }
  const env = { GATEWAY_THREADS: "2" }
  one = await startGateway({ yaml, env })
  other = await startGateway({ yaml, env, databaseUrl: one.databaseUrl })
  account = await one.account("500000")
  // Nothing leads to the provider but what is added.
  await one.run(setRouteSetting("anthropic#0", { isPaused: true, weight: undefined }, "test"))
})
afterAll(async () => {
  await other?.stop()
  await one?.stop()
  provider.close()
  another.close()
})

const fields = (of: { baseUrl?: string; key?: string; models?: ReadonlyArray<string> } = {}) => ({
  baseUrl: provider.url,
  key,
  models: ["claude-sonnet-5"],
  priority: 1,
  ...of
})
const add = (of?: Parameters<typeof fields>[0]) =>
  one.run(addRoute({ provider: "anthropic", ...fields(of) }, ranges, "test"))

const statuses = async (model = "claude-sonnet-5") => {
  const answers = []
  for (const node of [one, other, one, other])
    answers.push((await ask(node, account.key, "/v1/messages", { ...messagesCall("hi"), model })).status)
  return [...new Set(answers)]
}

describe("an added route", () => {
  it("serves its models, and no others, on all nodes once it is added, and none once it is removed", async () => {
    assert.deepStrictEqual(await statuses(), [502])
    const id = await add()
    assert.deepStrictEqual(await statuses(), [200])
    assert.strictEqual(provider.lastHeaders()["x-api-key"], key)
    assert.deepStrictEqual(await statuses("claude-opus-5"), [502])
    await one.run(removeRoute(id, "test"))
    assert.deepStrictEqual(await statuses(), [502])
    const [row] = await one.sql(
      (sql) => sql<Array<{ sealed_key: unknown; removed_at: Date | null }>>`
        select sealed_key, removed_at from added_routes where id = ${id}`
    )
    assert.isNull(row!.sealed_key)
    assert.isNotNull(row!.removed_at)
  })

  it("takes a new key and another address at once, on a node that starts later too", async () => {
    const id = await add()
    await one.run(changeRoute(id, fields({ key: newKey }), ranges, "test"))
    assert.deepStrictEqual(await statuses(), [200])
    assert.strictEqual(provider.lastHeaders()["x-api-key"], newKey)
    await one.run(changeRoute(id, fields({ key: "", models: [] }), ranges, "test"))
    assert.deepStrictEqual(await statuses("claude-opus-5"), [200])
    await one.run(changeRoute(id, fields({ baseUrl: another.url, models: [] }), ranges, "test"))
    await other.end()
    await other.launch()
    provider.takeCount()
    another.takeCount()
    assert.deepStrictEqual(await statuses(), [200])
    assert.deepStrictEqual([provider.takeCount(), another.takeCount()], [0, 4])
    await one.run(removeRoute(id, "test"))
  })

  it("does not take its key to another address", async () => {
    const id = await add()
    const refused = await one.run(
      Effect.flip(changeRoute(id, fields({ baseUrl: another.url, key: "" }), ranges, "test"))
    )
    assert.instanceOf(refused, RouteRefused)
    await one.run(removeRoute(id, "test"))
  })

  it.each([
    ["of the inside", "https://10.0.0.1", ["127.0.0.1"]],
    ["of this machine", "https://127.0.0.1", []],
    ["of a cloud's own service", "https://169.254.169.254", []],
    ["without https", "http://example.com", []],
    ["with credentials", "https://a:b@example.com", []],
    ["with a query", "https://example.com/?a=b", []],
    ["that is none", "example", []]
  ])("has no address %s", async (_, baseUrl, allowed) => {
    const asked = { provider: "anthropic", ...fields({ baseUrl }) }
    const refused = await one.run(Effect.flip(addRoute(asked, allowed, "test")))
    assert.instanceOf(refused, RouteRefused)
  })

  it("has its key nowhere but sealed: not in the database, the audit log or what the program writes", async () => {
    const id = await add()
    await statuses()
    const dump = await one.sql(async (sql) => {
      const tables = await sql<Array<{ name: string }>>`
        select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`
      const texts = []
      for (const { name } of tables) {
        const rows = await sql.unsafe<Array<{ text: string }>>(`select t::text as text from ${name} t`)
        texts.push(...rows.map(({ text }) => text))
      }
      return texts.join("\n")
    })
    assert.include(dump, id)
    for (const secret of [
      key,
      newKey,
      Buffer.from(key).toString("hex"),
      Buffer.from(newKey).toString("hex")
    ]) {
      assert.notInclude(dump, secret)
      assert.notInclude(one.output + other.output, secret)
    }
    await one.run(removeRoute(id, "test"))
  })
})
