/** A machine that was forgotten as keys and addresses were handed out to the nodes of one database. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import type { Sql } from "../../src/storage/Database.ts"
import { writeNodeSettings } from "../../src/storage/NodeSettingsStore.ts"
import { registerNode } from "../../src/storage/NodeStore.ts"
import { readDashboardUrl } from "../../src/storage/SettingsStore.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpPerson } from "../dashboard/TestPerson.ts"
import { GatewayProcess } from "../gateway/GatewayProcess.ts"
import { withSql } from "../storage/with-sql.ts"
import { until } from "../until.ts"
import { serverEnvironment } from "./server-environment.ts"
import { start, startDatabase } from "./start-for-test.ts"

const publicUrl = "https://gate.example.vn"

/** One that was told of its database and of nothing else. */
const makeForgotten = (databaseUrl: string, env: Record<string, string> = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), "tollgate-forgotten-"))
  const node = new GatewayProcess({ ...serverEnvironment({ dataDir, databaseUrl }), ...env })
  onTestFinished(async () => {
    await node.end()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return node
}

describe("a node without any provider's key", () => {
  it("does not start beside one that calls real providers", async () => {
    const { url } = await startDatabase()
    await start({ databaseUrl: url })
    await until(() => withSql(url, async (sql) => (await sql`select from node_settings`).length === 1))
    const forgotten = makeForgotten(url)
    const told = await forgotten.launch().catch((error: Error) => error.message)
    assert.match(told ?? "it started", /ended with 1: tollgate: Bad setting providers: no provider has a key/)
    const accounts = await withSql(url, (sql) => sql`select from accounts`)
    assert.lengthOf(accounts, 0, "nor makes a demo account with money there")
  })

  it("ends where it was the first of those that started at once", async () => {
    const { url } = await startDatabase()
    const forgotten = makeForgotten(url)
    await forgotten.launch()
    await start({ databaseUrl: url })
    assert.strictEqual(await until(() => forgotten.exitCode ?? undefined, 60), 1)
    assert.match(forgotten.output, /tollgate: Bad setting providers: no provider has a key/)
  })

  it("lets nobody pay by a simulated bank any more once one with a real bank has joined it", async () => {
    const { url } = await startDatabase()
    const simulated = makeForgotten(url, { DASHBOARD: "on" })
    await simulated.launch()
    await until(async () => (await fetch(`${simulated.url}/dashboard/api/session`)).ok, 60)
    const person = await signUpPerson(simulated, "lan@example.vn")
    const accountId = await accountOf(person)
    const pay = async () => {
      const { id } = (await person.post("/dashboard/api/top-ups", { amount: 200_000 })).body
      return (await person.post(`/dashboard/api/top-ups/${id}/simulate`)).status
    }
    assert.strictEqual(await pay(), 200)

    await withSql(url, async (sql: Sql) => {
      const { id } = await registerNode(sql, crypto.randomUUID(), [])
      await writeNodeSettings(sql, id, { bank: "another" })
    })
    assert.strictEqual(await pay(), 404)
    const [wallet] = await withSql(
      url,
      (sql) =>
        sql<Array<{ balance: bigint }>>`
          select balance_micro_vnd as balance from wallet_balances where account_id = ${accountId}`
    )
    assert.strictEqual(wallet?.balance, 200_000_000_000n)
  })
})

describe("a node that was not told its address", () => {
  it("leaves the one that another of its database was told, where links of commands lead", async () => {
    const { url } = await startDatabase()
    await start({ databaseUrl: url, env: { DASHBOARD: "on", PUBLIC_URL: publicUrl } })
    assert.strictEqual(await withSql(url, readDashboardUrl), publicUrl)
    await start({ databaseUrl: url, env: { DASHBOARD: "on" } })
    assert.strictEqual(await withSql(url, readDashboardUrl), publicUrl)
  })
})
