import { assert, describe, it } from "@effect/vitest"
import { DatabaseError } from "../../src/storage/Database.ts"

const isLost = (code: string) => new DatabaseError({ operation: "commit", code }).isConnectionLost

describe("a query that failed", () => {
  it.each(["EPIPE", "ECONNRESET", "ECONNREFUSED", "CONNECTION_CLOSED", "NO_ANSWER", "08006", "57P01"])(
    "leaves open whether it was done by %s",
    (code) => assert.isTrue(isLost(code))
  )

  it.each(["23505", "40P01", "42P01", "TG001", "XX000", "P0001", "55P03"])("was refused by %s", (code) =>
    assert.isFalse(isLost(code))
  )
})
