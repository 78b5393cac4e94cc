/** `tollgate serve` */
import { Effect } from "effect"
import { Command } from "effect/cli"

export const serve = Command.make("serve", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("./serve.ts")),
    ({ serve }) => serve
  )
).pipe(Command.withDescription("Run the gateway"))
