/** Money as the database writes it for alerts. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, it } from "vitest"
import { formatVnd } from "../../src/domain/money.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { withSql } from "./with-sql.ts"

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

it("is written as everywhere else, to the last micro-dong of the greatest wallet", async () => {
  const most = 2n ** 63n - 1n
  const digits = Array.from({ length: 19 }, (_, zeros) => 10n ** BigInt(zeros))
  const amounts = [
    0n,
    most,
    ...digits,
    ...digits.map((each) => each + 1n),
    ...digits.map((each) => most / each)
  ]
  const both = amounts.flatMap((each) => [each, -each])
  const rows = await withSql(
    database.url,
    (sql) => sql<Array<{ text: string }>>`
      select vnd_text(amount) as text from unnest(${both.map(String)}::text[]::int8[]) with ordinality as a (amount, place) order by place`
  )
  assert.deepStrictEqual(
    rows.map(({ text }) => text),
    both.map(formatVnd)
  )
})
