/** `tollgate audit` */
import { Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { json } from "./flags.ts"
import { answer, counted, table } from "./output.ts"

export class BooksDisagree extends Schema.TaggedError<BooksDisagree>()("BooksDisagree", {
  violations: Schema.String
}) {
  override get message() {
    return `The books do not agree: ${this.violations}`
  }
}

export const audit = Command.make(
  "audit",
  {
    all: Flag.Boolean("all").pipe(
      Flag.withDescription("Prove closed months anew too, call by call where their calls are still there"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fnUntraced(function* (input) {
    const { runAudit, violationsMax } = yield* Effect.promise(() => import("./run-audit.ts"))
    const report = yield* runAudit(input.all ? "all" : "open")
    yield* answer(input.json, report, () => {
      const { calls, entries, wallets } = report
      const read = `${counted(wallets, "wallet")}, ${counted(entries, "entry", "entries")}, ${counted(calls, "call")}`
      if (report.ok) return `The books agree: ${read}`
      const rows = report.violations.map(({ check, detail, subject }) => [check, subject, detail])
      return `${table(["CHECK", "SUBJECT", "DETAIL"], rows)}\n${read}`
    })
    if (report.ok) return
    const found = report.violations.length
    const violations = found === violationsMax ? `${found} or more violations` : counted(found, "violation")
    return yield* new BooksDisagree({ violations })
  })
).pipe(Command.withDescription("Prove that balances, entries, calls and sums agree"))
