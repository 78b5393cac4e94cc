/** `tollgate maintenance …` */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { actor, json } from "./flags.ts"
import { answer } from "./output.ts"

const actions = Effect.promise(() => import("./maintenance-actions.ts"))

const change = (name: "on" | "off", description: string) =>
  Command.make(
    name,
    { json },
    Effect.fnUntraced(function* (input) {
      const { setMaintenance } = yield* actions
      yield* setMaintenance(name === "on", actor)
      yield* print(input.json, name === "on")
    })
  ).pipe(Command.withDescription(description))

const status = Command.make(
  "status",
  { json },
  Effect.fnUntraced(function* (input) {
    const { isMaintenanceOn } = yield* actions
    yield* print(input.json, yield* isMaintenanceOn)
  })
).pipe(Command.withDescription("Tell whether maintenance is on"))

export const maintenance = Command.make("maintenance").pipe(
  Command.withDescription("Maintenance mode"),
  Command.withSubcommands([change("on", "Refuse new calls"), change("off", "Serve again"), status])
)

const print = (json: boolean, on: boolean) =>
  answer(json, { maintenance: on }, () => `Maintenance is ${on ? "on" : "off"}`)
