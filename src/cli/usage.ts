/** `tollgate usage …` */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { account, json } from "./flags.ts"

const day = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("TIME"), Flag.withDescription(description), Flag.optional)

const exportCommand = Command.make(
  "export",
  {
    account,
    from: day("from", "First day (2026-11-30, in Asia/Ho_Chi_Minh) or moment (2026-11-30T08:00:00Z)"),
    to: day("to", "Last day, or the moment before which calls count"),
    key: Flag.String("key").pipe(Flag.withDescription("Only calls of this key"), Flag.optional),
    json: json.pipe(Flag.withDescription("Taken, but the answer is CSV in any case"))
  },
  Effect.fnUntraced(function* (input) {
    const { printUsage } = yield* Effect.promise(() => import("./print-usage.ts"))
    yield* printUsage({
      account: input.account,
      from: Option.getOrUndefined(input.from),
      to: Option.getOrUndefined(input.to),
      key: Option.getOrUndefined(input.key)
    })
  })
).pipe(Command.withDescription("Print the calls of an account as CSV"))

export const usage = Command.make("usage").pipe(
  Command.withDescription("Usage"),
  Command.withSubcommands([exportCommand])
)
