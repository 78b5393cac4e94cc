/** How long a client's connection may rest between its calls. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { useGateway } from "../clients/use-gateway.ts"
import { delay } from "../delay.ts"
import { ask } from "../operations/calls.ts"
import { until } from "../until.ts"

const gateway = useGateway()

/** Longer than uWebSockets.js lets any connection rest by itself. */
const restMs = 14_000

/** Calls one after another on a connection that is kept, for as long as it lasts. */
class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #key: string

  constructor(key: string) {
    this.#key = key
  }

  async call() {
    const sent = request(`${gateway.url}/v1/messages`, {
      method: "POST",
      agent: this.#agent,
      headers: { "x-api-key": this.#key, "content-type": "application/json" }
    }).end(JSON.stringify(ask("Hello", { max_tokens: 16 })))
    const [response] = (await once(sent, "response")) as [IncomingMessage]
    await once(response.resume(), "end")
    return { status: response.statusCode, reused: sent.reusedSocket }
  }

  leave() {
    this.#agent.destroy()
  }
}

const resting = async () => {
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  return Number(/^tollgate_client_connections_resting\{.*\} (\d+)$/m.exec(text)?.[1])
}

describe("a connection at rest", () => {
  it("is kept for whoever has called on it, not for strangers, and noticed when it is left", async () => {
    const [customer, leaver, stranger] = [
      new Caller(gateway.key),
      new Caller(gateway.key),
      new Caller("sk-tg-nobody")
    ]
    for (const caller of [customer, leaver]) assert.strictEqual((await caller.call()).status, 200)
    assert.strictEqual((await stranger.call()).status, 401)
    await delay(restMs)
    assert.deepStrictEqual(await customer.call(), { status: 200, reused: true })
    assert.deepStrictEqual(await stranger.call(), { status: 401, reused: false })
    const before = await resting()
    leaver.leave()
    await until(async () => (await resting()) === before - 1)
    customer.leave()
    stranger.leave()
  })
})
