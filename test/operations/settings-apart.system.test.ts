/** Two nodes of one database, one of which was given other limits. */
import { assert } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { afterAll, beforeAll, describe, it } from "vitest"
import { readSettingsApart } from "../../src/storage/NodeSettingsStore.ts"
import { startGateway, type TestGateway } from "../gateway/start-gateway.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { withSql } from "../storage/with-sql.ts"
import { until } from "../until.ts"
import { readMetrics, sumOf } from "./read-metrics.ts"

let database: TestDatabase
let one: TestGateway
let other: TestGateway | undefined
beforeAll(async () => {
  database = await startTestDatabase()
  one = await startGateway({ databaseUrl: database.url })
})
afterAll(async () => {
  await one?.stop()
  await other?.stop()
  await database?.stop()
})

const told = () => withSql(database.url, readSettingsApart)

describe("nodes with different settings", () => {
  it("say so while they live", async () => {
    await until(() =>
      withSql(database.url, async (sql) => (await sql`select from node_settings`).length === 1)
    )
    assert.deepStrictEqual(await told(), [])
    const limits = { max_body_bytes: 100_000 }
    const { url } = (other = await startGateway({ databaseUrl: database.url, yaml: { limits } }))
    // Their simulators are two, and so their providers' addresses.
    const apart = ["limits", "providers"]
    await until(async () => sumOf(await readMetrics(url), "tollgate_settings_apart") === apart.length)
    assert.deepStrictEqual(await told(), apart)

    await other.stop()
    assert.deepStrictEqual(await told(), [])
  })

  it("say that another key is in front of those that seal", async () => {
    const env = { TOLLGATE_SEAL_KEY: randomBytes(32).toString("base64") }
    other = await startGateway({ databaseUrl: database.url, env })
    await until(async () => String(await told()) === "providers,seal_key")
  })
})
