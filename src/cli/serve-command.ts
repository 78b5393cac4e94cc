/** `tollgate serve` */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { json } from "./flags.ts"
import { sayWhenSlow } from "./serve/say-when-slow.ts"

export const serve = Command.make(
  "serve",
  { json: json.pipe(Flag.withDescription("Taken, but there is no answer")) },
  () =>
    Effect.andThen(
      Effect.forkChild(sayWhenSlow),
      Effect.flatMap(
        Effect.promise(() => import("./serve/serve.ts")),
        ({ serve }) => serve
      )
    )
).pipe(Command.withDescription("Run the gateway"))
