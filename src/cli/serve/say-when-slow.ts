/** Tells whoever waits for a start that it goes on: the first one makes a database and takes some seconds. */
import { Effect } from "effect"

let isUp = false

/** From now on the start tells of itself. */
export const noteUp = Effect.sync(() => void (isUp = true))

export const sayWhenSlow = Effect.sync(() => {
  if (!isUp) process.stderr.write("Tollgate is starting; the first start makes a database …\n")
}).pipe(Effect.delay("4 seconds"))
