/** Posts to addresses that customers name, and lets nobody reach the inside of our network by one. */
import { Agent, request } from "undici"
import type { Proxies } from "../config/choose-proxy.ts"
import type { DeliveryOutcome } from "../domain/delivery-outcome.ts"
import { outwardConnector } from "../outgoing/connect-outward.ts"
import {
  checkedLookup,
  checkPlace,
  type MayReach,
  publicOr,
  type Resolve
} from "../outgoing/public-address.ts"

export interface PosterOptions {
  readonly proxies: Proxies
  /** Ranges of the inside that webhooks may lead to. */
  readonly privateRanges: ReadonlyArray<string>
  readonly resolve?: Resolve
}

const answerMsMax = 10_000

/** How it ended, in a word that customers may read: an HTTP status, or why there was no answer. */
export interface PostOutcome {
  readonly isDelivered: boolean
  readonly outcome: string
  /** It would end so each time. */
  readonly isFinal?: boolean
}

export class WebhookPoster {
  readonly #agent: Agent
  readonly #mayReach: MayReach
  readonly #takesHttp: boolean

  constructor({ privateRanges, proxies, resolve }: PosterOptions) {
    this.#mayReach = publicOr(privateRanges)
    this.#takesHttp = privateRanges.length > 0
    this.#agent = new Agent({
      // Each attempt resolves and checks anew: a kept connection could outlive what its name was checked for.
      pipelining: 0,
      allowH2: false,
      headersTimeout: answerMsMax,
      connect: outwardConnector(proxies, { lookup: checkedLookup(this.#mayReach, resolve) })
    })
  }

  /** What is wrong with an address, before anything is sent there. Over the open network it has to be https. */
  problemOf(text: string): string | undefined {
    const checked = checkPlace(text, this.#mayReach)
    if (typeof checked === "string") return checked
    return checked.protocol === "http:" && !this.#takesHttp ? "it is not an https URL" : undefined
  }

  /** One attempt. Redirects are not followed, and of the answer only its status is taken. */
  async post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<PostOutcome> {
    if (this.problemOf(url) !== undefined) return { isDelivered: false, outcome: "address not allowed" }
    try {
      const answer = await request(url, {
        method: "POST",
        dispatcher: this.#agent,
        body,
        headers: { ...headers, "content-type": "application/json", "user-agent": "Tollgate-Webhooks/1" },
        signal: AbortSignal.timeout(answerMsMax)
      })
      // A body that is thrown away reports that as an error; without a listener it would be nobody's.
      answer.body.on("error", () => {})
      answer.body.destroy()
      const { statusCode } = answer
      return { isDelivered: statusCode >= 200 && statusCode < 300, outcome: String(statusCode) }
    } catch (cause) {
      return { isDelivered: false, outcome: reasonOf(cause) }
    }
  }

  /** Another takes its place: what is under way ends as it would have. */
  retire(): Promise<void> {
    return this.#agent.close()
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}

const reasonOf = (cause: unknown): DeliveryOutcome => {
  const { code, name } = cause as { readonly code?: unknown; readonly name?: unknown }
  if (name === "TimeoutError" || name === "AbortError" || /TIMEOUT/.test(String(code)))
    return "no answer in 10 s"
  switch (code) {
    case "NO_PUBLIC_ADDRESS":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "address not found"
    case "ECONNREFUSED":
      return "connection refused"
    default:
      return /CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(String(code))
        ? "certificate not trusted"
        : "connection lost"
  }
}
