/** Operations pages on a gateway thread: liveness it knows itself, the rest is asked of the main thread. */
import { Effect, Layer } from "effect"
import type { Exchange } from "../http/Exchange.ts"
import { metricsType, noAnswer, Operations, type Page, pageWaitMsMax } from "../http/Operations.ts"
import type { FromThread } from "./messages.ts"

const plainText = [["content-type", "text/plain; charset=utf-8"]] as const
const json = [["content-type", "application/json"]] as const
/** So many may wait for metrics, which are long, at once; others are told to come again. */
const metricsAtOnceMax = 32
const prometheus = [["content-type", metricsType]] as const

export class ThreadPages {
  readonly #say: (message: FromThread) => void
  readonly #waiting = new Map<number, (answer: Page) => void>()
  #nextId = 1
  #metricsAsked = 0

  constructor(say: (message: FromThread) => void) {
    this.#say = say
  }

  get layer(): Layer.Layer<Operations> {
    return Layer.succeed(
      Operations,
      Operations.of({
        serve: (page, exchange) =>
          page === "healthz"
            ? Effect.sync(() => exchange.respond(200, plainText, "ok"))
            : page === "metrics"
              ? this.#askForMetrics(exchange)
              : this.#ask(page, exchange)
      })
    )
  }

  answered(id: number, status: number, body: string): void {
    this.#waiting.get(id)?.({ status, body })
    this.#waiting.delete(id)
  }

  #askForMetrics(exchange: Exchange): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#metricsAsked >= metricsAtOnceMax) {
        exchange.respond(503, [...plainText, ["retry-after", "1"]], "Too many ask for metrics.")
        return Effect.void
      }
      this.#metricsAsked++
      return Effect.ensuring(
        this.#ask("metrics", exchange),
        Effect.sync(() => this.#metricsAsked--)
      )
    })
  }

  #ask(page: "readyz" | "metrics", exchange: Exchange): Effect.Effect<void> {
    return Effect.callback<Page>((resume) => {
      const id = this.#nextId++
      this.#waiting.set(id, (answer) => resume(Effect.succeed(answer)))
      this.#say({ kind: "page", id, page })
      return Effect.sync(() => this.#waiting.delete(id))
    }).pipe(
      Effect.timeoutOrElse({
        duration: pageWaitMsMax,
        orElse: () => Effect.succeed(noAnswer)
      }),
      Effect.flatMap(({ body, status }) =>
        Effect.sync(() => exchange.respond(status, page === "metrics" ? prometheus : json, body))
      )
    )
  }
}
