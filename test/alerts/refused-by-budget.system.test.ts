/** A call that a key's budget refuses says nothing of the wallet. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type { AccountId } from "../../src/domain/ids.ts"
import { startOfDay } from "../../src/domain/vietnam-days.ts"
import { raiseCrossings } from "../../src/storage/alerts/AlertStore.ts"
import { dateTopUps } from "../browser/sample-data.ts"
import { type AlertTests, startAlertTests } from "./start-alert-tests.ts"

const api = "/dashboard/api"

let tests: AlertTests
beforeAll(async () => {
  tests = await startAlertTests()
})
afterAll(() => tests.stop())

const settings = { name: "bot", rate_limit_per_minute: 0, budget_vnd: "10000", budget_period: "day" }
const refused = { status: 402, errorType: "insufficient_balance" }

describe("alerts", () => {
  it("tell of no empty balance where calls were refused by a budget that most is left of, but less than of the balance", async () => {
    const customer = await tests.openCustomer("con-nhieu@example.vn", ["balance.empty", "budget.spent"])
    const { accountId, person } = customer
    await tests.topUp(person, 1_000_000)
    const key = (await person.post(`${api}/keys`, settings)).body
    await tests.spend(accountId, 3_000, key.id)
    await tests.spend(accountId, 0, key.id, refused)
    for (let turn = 0; turn < 2; turn++) await tests.look()
    await person.post(`${api}/keys/${key.id}/revoke`)
    await tests.look()
    await tests.settle(customer)
    const told = () => ["balance.empty", "budget.spent"].map((kind) => tests.of(customer, kind).length)
    assert.deepStrictEqual(told(), [0, 0])
    const other = (await person.post(`${api}/keys`, { ...settings, budget_vnd: "2000000" })).body
    await tests.spend(accountId, 0, other.id, refused)
    await tests.look()
    await tests.settle(customer)
    assert.deepStrictEqual(told(), [1, 0], "the balance has less")
  })

  it("tell of no empty balance where calls were refused by a budget that has begun anew since", async () => {
    const { accountId, person } = await tests.openCustomer("nua-dem@example.vn")
    const { databaseUrl, sql } = tests.dashboard
    await tests.topUp(person, 1_000_000)
    const atMs = startOfDay(Date.now()) - 1
    await dateTopUps(databaseUrl, atMs - 60_000)
    const key = (await person.post(`${api}/keys`, settings)).body
    await tests.spend(accountId, 9_900, key.id, { atMs })
    await tests.spend(accountId, 0, key.id, { ...refused, atMs })
    const raised = async () => {
      const ids = await sql.begin((transaction) =>
        raiseCrossings(transaction, [accountId as AccountId], new Date(atMs))
      )
      const rows = await sql<Array<{ kind: string }>>`select kind from alerts where id = any (${[...ids]})`
      return rows.map(({ kind }) => kind)
    }
    assert.deepStrictEqual(await raised(), [])
    await tests.spend(accountId, 0, "key_x", { ...refused, atMs })
    assert.deepStrictEqual(await raised(), ["balance.empty"], "which no budget has refused")
  })
})
