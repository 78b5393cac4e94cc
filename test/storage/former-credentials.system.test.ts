/** What somebody signs in by that had come to be there twice, before the database saw to it. */
import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, it } from "vitest"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { withSql } from "./with-sql.ts"

const migration = new URL("../../src/storage/migrations/0073-one-identity.sql", import.meta.url)

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

it("of accounts elsewhere the first stays, of passwords the last, and neither comes to be twice again", async () => {
  await withSql(database.url, async (sql) => {
    await sql`drop index credentials_provider_subject`
    for (const id of ["acc_1", "acc_2"])
      await sql`insert into people (id, name, email, email_verified) values (${id}, 'An', ${`${id}@example.com`}, true)`
    const insert = (id: string, provider: string, subject: string, person: string, day: number) => sql`
      insert into credentials (id, provider, subject, person_id, created_at, updated_at)
      values (${id}, ${provider}, ${subject}, ${person}, ${new Date(day * 86_400_000)}, ${new Date(day * 86_400_000)})`
    await insert("d", "google", "1", "acc_1", 1)
    await insert("a", "google", "1", "acc_1", 2)
    await insert("c", "google", "1", "acc_2", 2)
    await insert("e", "github", "1", "acc_1", 2)
    await insert("g", "credential", "acc_1", "acc_1", 2)
    await insert("h", "credential", "acc_1", "acc_1", 1)
    await insert("f", "credential", "acc_2", "acc_2", 1)
    await sql.unsafe(readFileSync(migration, "utf8"))
    const rows = await sql<Array<{ id: string }>>`select id from credentials order by id`
    assert.deepStrictEqual(
      rows.map(({ id }) => id),
      ["d", "e", "f", "g"]
    )
    const refused = await insert("i", "google", "1", "acc_2", 3).catch(({ code }) => code)
    assert.strictEqual(refused, "23505")
  })
})
