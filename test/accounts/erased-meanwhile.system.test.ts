/** Somebody is erased while their calls are open on two nodes: these are charged, and nothing more is admitted. */
import { assert, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { eraseAccount, setAccountStatus } from "../../src/accounts/accounts.ts"
import { startGateway, type TestGateway } from "../gateway/start-gateway.ts"
import { auditBooks } from "../../src/storage/audit/audit-books.ts"
import { withSql } from "../storage/with-sql.ts"

let one: TestGateway
let other: TestGateway
beforeAll(async () => {
  one = await startGateway()
  other = await startGateway({ databaseUrl: one.databaseUrl })
})
afterAll(async () => {
  await other.stop()
  await one.stop()
})

const callAt = (gateway: TestGateway, key: string) =>
  fetch(`${gateway.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({
      model: "claude-sonnet-5",
      max_tokens: 200,
      stream: true,
      messages: [{ role: "user", content: "[sim: tokens=60,interval=60] hi" }]
    })
  })

it("leaves clean books, whichever node a call is open on", async () => {
  const { accountId, key } = await one.account()
  const open = await Promise.all([one, other, one, other].map((gateway) => callAt(gateway, key)))
  assert.deepStrictEqual(
    open.map(({ status }) => status),
    [200, 200, 200, 200]
  )
  await one.run(setAccountStatus(accountId, "disabled", "test"))
  await one.run(eraseAccount(accountId, "test"))
  for (const gateway of [one, other]) assert.strictEqual((await callAt(gateway, key)).status, 401)
  await Promise.all(open.map((answer) => answer.text()))
  const calls = await one.calls(accountId, 6)
  const charged = calls.filter(({ status }) => status === 200)
  assert.deepStrictEqual(
    charged.map(({ output_tokens: tokens }) => tokens),
    [60, 60, 60, 60]
  )
  const cost = calls.reduce((sum, call) => sum + call.cost_micro_vnd, 0n)
  assert.strictEqual(await one.balance(accountId), 50_000_000_000n - cost)
  const { violations } = await withSql(one.databaseUrl, (sql) => auditBooks(sql))
  assert.deepStrictEqual(violations, [])
})
