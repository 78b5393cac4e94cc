/** The pages for whoever runs the service. What they tell is the main thread's knowledge, so it is asked. */
import { Context, type Effect } from "effect"
import type { Exchange } from "./Exchange.ts"

export class Operations extends Context.Service<
  Operations,
  {
    serve(page: "healthz" | "readyz" | "metrics", exchange: Exchange): Effect.Effect<void>
  }
>()("tollgate/http/Operations") {}
