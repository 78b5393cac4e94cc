/** `tollgate models` */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { json } from "./flags.ts"
import { answer, table } from "./output.ts"

export const models = Command.make(
  "models",
  { json },
  Effect.fnUntraced(function* (input) {
    const { listModels } = yield* Effect.promise(() => import("./list-models.ts"))
    const list = yield* listModels
    yield* answer(input.json, list, () =>
      table(
        ["MODEL", "NAME", "VND", "PER", "CHANNEL"],
        list.data.map(({ channel, id, name, price }) => [
          id,
          name,
          String("per_mtok" in price ? price.per_mtok : price.per_request),
          "per_mtok" in price ? "1M tokens" : "request",
          channel
        ])
      )
    )
  })
).pipe(Command.withDescription("List the models with their prices"))
