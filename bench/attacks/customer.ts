/** A good customer: calls at an even pace, whatever becomes of them, each timed from when it was due. */
import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { setTimeout as delay } from "node:timers/promises"

export interface CustomerPlan {
  readonly url: string
  readonly key: string
  readonly ms: number
}

export type Kind = keyof typeof bodies

export interface CustomerResult {
  /** Milliseconds of each call. */
  readonly times: Readonly<Record<Kind, ReadonlyArray<number>>>
  /** A status that is not 200, or a broken connection's code, for each call that failed. */
  readonly failed: ReadonlyArray<string>
}

/** One call of each kind so often. */
const everyMs = 50

const ask = (content: string): string =>
  JSON.stringify({ model: "claude-sonnet-5", max_tokens: 16, messages: [{ role: "user", content }] })

const bodies = {
  "400 bytes": ask("Hello ".repeat(50)),
  "300 KiB": ask("The quick brown fox. ".repeat(14_600))
}

export const kinds = Object.keys(bodies) as ReadonlyArray<Kind>

const agent = new Agent({ keepAlive: true })

const call = async ({ url, key }: CustomerPlan, body: string): Promise<number> => {
  const headers = { "x-api-key": key, "content-length": body.length }
  const sent = request(`${url}/v1/messages`, { method: "POST", agent, headers })
  sent.end(body)
  const [response] = (await once(sent, "response")) as [IncomingMessage]
  response.resume()
  await once(response, "end")
  return response.statusCode!
}

export const beCustomer = async (plan: CustomerPlan): Promise<CustomerResult> => {
  const times: Record<Kind, Array<number>> = { "400 bytes": [], "300 KiB": [] }
  const failed: Array<string> = []
  const began = performance.now()
  const timed = async (kind: Kind, due: number) => {
    try {
      const status = await call(plan, bodies[kind])
      times[kind].push(performance.now() - due)
      if (status !== 200) failed.push(String(status))
    } catch (error) {
      failed.push((error as NodeJS.ErrnoException).code ?? "broken")
    }
  }
  const underway: Array<Promise<void>> = []
  for (let due = began; due < began + plan.ms; due += everyMs) {
    await delay(due - performance.now())
    for (const kind of kinds) underway.push(timed(kind, due))
  }
  await Promise.all(underway)
  return { times, failed }
}
