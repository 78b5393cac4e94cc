import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { startGateway, type TestGateway } from "../gateway/start-gateway.ts"

let behindProxy: TestGateway
let open: TestGateway
beforeAll(async () => {
  behindProxy = await startGateway({ env: { TRUST_PROXY: "true" } })
  open = await startGateway()
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

  it("can not name themselves where no proxy is trusted", async () => {
    assert.deepStrictEqual(await guess(open, (attempt) => `203.0.113.${attempt}`), untilLimited)
  })
})
