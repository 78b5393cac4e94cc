/** Streams an account's calls to standard output. */
import { Console, Effect, Stream } from "effect"
import { findAccount } from "../accounts/accounts.ts"
import { findKey } from "../accounts/keys.ts"
import { parsePeriod } from "../accounts/parse-period.ts"
import { countDroppedCalls, exportUsage } from "../accounts/usage-export.ts"
import { writeOutput } from "./output.ts"
import { withDatabase } from "./with-database.ts"

export interface UsageRequest {
  readonly account: string
  readonly from: string | undefined
  readonly to: string | undefined
  readonly key: string | undefined
}

export const printUsage = Effect.fnUntraced(function* (request: UsageRequest) {
  const period = parsePeriod(request.from, request.to)
  if (!("from" in period)) return yield* period
  const { accountId } = yield* findAccount(request.account)
  const key = request.key === undefined ? undefined : yield* findKey(request.key, accountId)
  const filter = { accountId, keyId: key?.keyId, ...period }
  const dropped = yield* countDroppedCalls(filter)
  // The answer itself is CSV and nothing else.
  if (dropped !== undefined) {
    const { before, calls } = dropped
    yield* Console.error(
      `Calls before ${before.toISOString()} are no longer kept one by one and are missing here, ${calls} in all; their sums are kept`
    )
  }
  yield* exportUsage(filter, { forSpreadsheet: false }).pipe(Stream.runForEach(writeOutput))
}, withDatabase)
