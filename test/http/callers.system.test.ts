/** Where callers come from: what a proxy says that is trusted, and nobody else's word. */
import { assert } from "@effect/vitest"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, it } from "vitest"
import { createKey } from "../../src/accounts/keys.ts"
import { startGateway, type TestGateway } from "../gateway/start-gateway.ts"

let behindProxy: TestGateway
let open: TestGateway
beforeAll(async () => {
  behindProxy = await startGateway({ env: { TRUST_PROXY: "true", DASHBOARD: "on" } })
  open = await startGateway({ env: { DASHBOARD: "on" } })
})
afterAll(async () => {
  await behindProxy?.stop()
  await open?.stop()
})

/** Signs in wrongly until it is too much, and a few times more; the statuses. */
const guess = async (gateway: TestGateway, forwardedFor: (attempt: number) => string) => {
  const statuses: Array<number> = []
  for (let attempt = 0; attempt < 12; attempt++) {
    const answer = await fetch(`${gateway.url}/dashboard/api/auth/sign-in/email`, {
      method: "POST",
      headers: {
        origin: gateway.url,
        "content-type": "application/json",
        "x-forwarded-for": forwardedFor(attempt)
      },
      body: JSON.stringify({ email: "nobody@example.com", password: "not the password" })
    })
    statuses.push(answer.status)
  }
  return statuses
}

const untilLimited = [...Array.from({ length: 10 }, () => 401), 429, 429]

describe("callers behind a proxy", () => {
  it("are limited each for themselves, by the address that the proxy added", async () => {
    assert.deepStrictEqual(
      await guess(behindProxy, (attempt) => `198.51.100.${attempt}, 203.0.113.1`),
      untilLimited
    )
    assert.deepStrictEqual(
      await guess(behindProxy, (attempt) => `203.0.113.1, 203.0.113.2:${5000 + attempt}`),
      untilLimited
    )
  })

  it("are who the proxy says in a line of its own behind theirs, for a key that may be used from some addresses", async () => {
    const { accountId } = await behindProxy.account("1000")
    const allowedIps = ["203.0.113.0/24"]
    const { secret } = await behindProxy.run(
      createKey({ accountId, name: "office", actor: "test", allowedIps })
    )
    const answerFrom = async (...lines: ReadonlyArray<string>) => {
      const sent = request(`${behindProxy.url}/v1/models`, {
        headers: { "x-api-key": secret, "x-forwarded-for": [...lines] },
        agent: false
      })
      sent.end()
      const [response] = (await once(sent, "response")) as [IncomingMessage]
      return { status: response.statusCode, said: await text(response) }
    }
    const statusFrom = async (...lines: ReadonlyArray<string>) => (await answerFrom(...lines)).status
    assert.strictEqual(await statusFrom("203.0.113.7"), 200)
    assert.strictEqual(await statusFrom("198.51.100.1", "203.0.113.7"), 200)
    assert.strictEqual(await statusFrom("203.0.113.7", "198.51.100.1"), 403)
    assert.strictEqual(await statusFrom("203.0.113.7, 198.51.100.1"), 403)
    assert.strictEqual(await statusFrom("::ffff:203.0.113.7"), 200)
    // As a person can write it into the list.
    assert.include((await answerFrom("::ffff:c633:6401")).said, "from 198.51.100.1, only")
    assert.include((await answerFrom("2001:0db8:0:0:0:0:0:1")).said, "from 2001:db8::1, only")
  })

  it("can not name themselves where no proxy is trusted", async () => {
    assert.deepStrictEqual(await guess(open, (attempt) => `203.0.113.${attempt}`), untilLimited)
  })
})
