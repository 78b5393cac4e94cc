import { assert, describe, it } from "@effect/vitest"
import { csvRows } from "../../src/accounts/csv-format.ts"

const rows = [[-10_627_000n, 199_999_986_500_000n, 12.5, -0.25, 3, "svc/a-1.5", "-1.5"]]

describe("the rows of a file", () => {
  it("have a point in decimals between commas", () => {
    const text = csvRows(rows, { forSpreadsheet: false })
    assert.strictEqual(text, "-10.627,199999986.5,12.5,-0.25,3,svc/a-1.5,'-1.5\n")
  })

  it("have a comma in decimals between semicolons: spreadsheets that split there read 10.627 as ten thousand", () => {
    const text = csvRows(rows, { forSpreadsheet: false, separator: ";" })
    assert.strictEqual(text, "-10,627;199999986,5;12,5;-0,25;3;svc/a-1.5;'-1.5\n")
  })
})
