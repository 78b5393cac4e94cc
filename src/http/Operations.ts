/** The pages for whoever runs the service. What they tell is the main thread's knowledge, so it is asked. */
import { Context, type Effect } from "effect"
import type { Exchange } from "./Exchange.ts"

export interface Page {
  readonly status: number
  readonly body: string
}

/** What the main thread knows; whether a thread lives, it says itself. */
export interface Pages {
  page(name: "readyz" | "metrics"): Effect.Effect<Page>
}

/** How long the main thread is waited for, and what is said then. */
export const pageWaitMsMax = 5_000
export const noAnswer: Page = { status: 503, body: '{"ready":false,"reason":"no answer"}' }

/** Prometheus' text. */
export const metricsType = "text/plain; version=0.0.4; charset=utf-8"

export class Operations extends Context.Service<
  Operations,
  {
    serve(page: "healthz" | "readyz" | "metrics", exchange: Exchange): Effect.Effect<void>
  }
>()("tollgate/http/Operations") {}
