/** What the simulation takes for the database does what PostgreSQL does. */
import { describe, it } from "vitest"
import { newMember } from "../ledger/start-ledger.ts"
import { Random, seeds } from "../Random.ts"
import { startTestDatabase } from "../storage/start-database.ts"
import { withSql } from "../storage/with-sql.ts"
import { ModelRun } from "./ModelRun.ts"

const credit = 3_000n

describe("the model of the database", () => {
  it.each([...seeds(2), 394_862_546, 745_954_143])(
    "answers and is left as PostgreSQL, whatever it is asked, seed %i",
    async (seed) => {
      const database = await startTestDatabase()
      try {
        const members = [await newMember(database.url, 2, credit), await newMember(database.url, 3, credit)]
        await withSql(database.url, async (sql) => {
          const run = new ModelRun(sql, new Random(seed), members, credit)
          await run.begin()
          for (let turn = 0; turn < 20; turn++) {
            for (let step = 0; step < 20; step++) await run.step()
            await run.verifyState()
          }
        })
      } finally {
        await database.stop()
      }
    }
  )
})
