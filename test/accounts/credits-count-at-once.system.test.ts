/** Whoever is told of a credit may call at once, also where nodes hear of it late. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, it } from "vitest"
import { startServer, type TestServer } from "../browser/start-server.ts"
import { call } from "../browser/steps.ts"
import { signUpOperator, signUpPerson, tellTransfer } from "../dashboard/TestPerson.ts"
import { until } from "../until.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  // Nodes hear of changes with their next renewal alone, up to a second later.
  await server.sql`
    create or replace function emit_event(kind text, subject text) returns bigint language sql as $$
      insert into node_events (kind, subject) values (emit_event.kind, emit_event.subject) returning id
    $$`
})
afterAll(() => server?.stop())

/** Somebody who has been refused, so that their node knows that they have nothing, and an order of theirs. */
const openRefused = async (email: string) => {
  const person = await signUpPerson(server, email)
  const { key } = (await person.post("/dashboard/api/keys", { name: "k", rate_limit_per_minute: 0 })).body
  const { code, id } = (await person.post("/dashboard/api/top-ups", { amount: 100_000 })).body
  const ask = async () => (await call(server, key)).status
  assert.deepStrictEqual([await ask(), await ask()], [402, 402])
  return { ask, code, id, key, person }
}

it("after a bank has told of the transfer", async () => {
  const { ask, code } = await openRefused("bank@example.com")
  const { status } = await tellTransfer(server, { id: "heard", content: code, transferAmount: 100_000 })
  assert.deepStrictEqual([status, await ask()], [200, 200])
})

it("after an operator has assigned a transfer", async () => {
  const operator = await signUpOperator(server, "operator@example.com")
  const { ask } = await openRefused("stray@example.com")
  await tellTransfer(server, { id: "stray", content: "no code", transferAmount: 100_000 })
  const { transfers } = (await operator.get("/dashboard/api/operator/transfers")).body
  const assigned = await operator.post(`/dashboard/api/operator/transfers/${transfers[0].id}/assign`, {
    account: "stray@example.com",
    reason: "told by mail"
  })
  assert.deepStrictEqual([assigned.status, await ask()], [200, 200])
})

/** Asks from before the transfer on until `isThere` answers so, while the bank's messenger waits; then makes a call. */
const askOnceSeen = async (code: string, isThere: () => Promise<boolean>, ask: () => Promise<number>) => {
  const told = tellTransfer(server, { id: `seen ${code}`, content: code, transferAmount: 100_000 })
  await until(isThere)
  const status = await ask()
  await told
  return status
}

it("once an order is told to be paid", async () => {
  const { ask, code, id, person } = await openRefused("order@example.com")
  const isPaid = async () => (await person.get(`/dashboard/api/top-ups/${id}`)).body.status === "paid"
  assert.strictEqual(await askOnceSeen(code, isPaid, ask), 200)
})

it("once the list of orders tells that one is paid", async () => {
  const { ask, code, person } = await openRefused("orders@example.com")
  const isPaid = async () => (await person.get("/dashboard/api/top-ups")).body.orders[0].status === "paid"
  assert.strictEqual(await askOnceSeen(code, isPaid, ask), 200)
})

it("once a balance tells of it", async () => {
  const { ask, code, key } = await openRefused("balance@example.com")
  const hasCome = async () => {
    const answer = await fetch(`${server.url}/v1/balance`, { headers: { "x-api-key": key } })
    return ((await answer.json()) as { balance_vnd: string }).balance_vnd === "100000"
  }
  assert.strictEqual(await askOnceSeen(code, hasCome, ask), 200)
})

it("once the overview tells of it", async () => {
  const { ask, code, person } = await openRefused("overview@example.com")
  const hasCome = async () => (await person.get("/dashboard/api/overview")).body.balance_vnd === "100000"
  assert.strictEqual(await askOnceSeen(code, hasCome, ask), 200)
})

it("once the statement tells of it", async () => {
  const { ask, code, person } = await openRefused("statement@example.com")
  const hasCome = async () => (await person.get("/dashboard/api/statement")).body.closing_vnd === "100000"
  assert.strictEqual(await askOnceSeen(code, hasCome, ask), 200)
})
