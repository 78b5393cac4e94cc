/** The command line as a program: every command, and how each ends. Exit status 1 is a failure, 2 wrong usage. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer, Logger, Predicate, References } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import manifest from "../../package.json" with { type: "json" }
import { account } from "./account.ts"
import { alert } from "./alert.ts"
import { audit } from "./audit.ts"
import { ExactAmounts, joinNegativeAmounts } from "./flags.ts"
import { key } from "./key.ts"
import { maintenance } from "./maintenance.ts"
import { models } from "./models.ts"
import { outliveReader, ReaderGone } from "./output.ts"
import { price } from "./price.ts"
import { serve } from "./serve-command.ts"
import { token } from "./token.ts"
import { usage } from "./usage.ts"
import { wallet } from "./wallet.ts"

const { version } = manifest

const tollgate = Command.make("tollgate").pipe(
  Command.withDescription("A prepaid, metered gateway in front of many models"),
  Command.withSubcommands([
    serve,
    account,
    key,
    token,
    wallet,
    usage,
    alert,
    maintenance,
    models,
    price,
    audit
  ])
)

export const run = (args: ReadonlyArray<string>): void => {
  outliveReader()
  NodeRuntime.runMain(commandOf(args), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(exitStatus(exit, args[0] === "serve"))
  })
}

/** Does what the arguments say, and answers the status that a process would end with. */
export const statusOf = (args: ReadonlyArray<string>): Effect.Effect<number> =>
  Effect.map(Effect.exit(commandOf(args)), (exit) => exitStatus(exit, args[0] === "serve"))

const commandOf = (args: ReadonlyArray<string>) =>
  Command.runWith(tollgate, { version })(joinNegativeAmounts(args)).pipe(
    Effect.provideService(ExactAmounts, args.includes("--json")),
    Effect.provide(Layer.mergeAll(NodeServices.layer, onlyHelp, plainErrors, quietLogs))
  )

const onlyHelp = CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })

/** Standard output holds answers alone; what was wrong with the arguments goes beside it, a line each. */
const plainErrors = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.sync(() => {
          for (const error of event.errors) complain(error.message)
          process.stderr.write(`See: ${event.commandPath.join(" ")} --help\n`)
        })
      : CliOutput.defaultPresenter.present(event)
})

/** `serve` sets up its own logs; the other commands only warn. */
const quietLogs = Layer.mergeAll(
  Logger.layer([Logger.withConsoleError(Logger.formatSimple)]),
  Layer.succeed(References.MinimumLogLevel, "Warn")
)

/** Being told to stop is how a server ends well. */
const exitStatus = (exit: Exit.Exit<unknown, unknown>, isServer: boolean): number => {
  if (Exit.isSuccess(exit)) return 0
  if (Cause.hasInterruptsOnly(exit.cause)) return isServer ? 0 : 130
  const error = Cause.squash(exit.cause)
  if (CliError.isCliError(error)) return 2
  if (error instanceof ReaderGone) return 0
  complain(messageOf(error))
  return 1
}

const messageOf = (error: unknown): string =>
  Predicate.isError(error) && error.message !== "" ? error.message : String(error)

const complain = (message: string): void => {
  process.stderr.write(`tollgate: ${message.replaceAll(/\s*\n\s*/g, " ")}\n`)
}
