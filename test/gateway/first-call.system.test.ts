import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { startGateway, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const ask = (key: string, body: unknown, path = "/v1/messages") =>
  fetch(gateway.url + path, { method: "POST", headers: { "x-api-key": key }, body: JSON.stringify(body) })

const hello = { model: "claude-sonnet-5", max_tokens: 64, messages: [{ role: "user", content: "Hello" }] }

describe("a first call", () => {
  it("is answered, charged to the micro-dong and logged as its headers say", async () => {
    const { accountId, key } = await gateway.account("1000")
    const answer = await ask(key, hello)
    assert.strictEqual(answer.status, 200)
    const body = (await answer.json()) as { usage: { input_tokens: number; output_tokens: number } }
    const tokens = body.usage.input_tokens + body.usage.output_tokens
    const [row] = await gateway.calls(accountId, 1)
    assert.strictEqual(row!.id, answer.headers.get("request-id"))
    assert.strictEqual(row!.cost_micro_vnd, BigInt(tokens) * 6500n)
    assert.strictEqual(answer.headers.get("x-svc-cost-vnd"), String((tokens * 6500) / 1e6))
    assert.strictEqual(await gateway.balance(accountId), 1_000_000_000n - row!.cost_micro_vnd)
  })

  it("that the wallet can not pay is refused with 402 and a way to pay, and works at once after a top-up", async () => {
    const { accountId, key } = await gateway.account("0")
    const refused = await ask(key, hello)
    assert.strictEqual(refused.status, 402)
    const { error } = (await refused.json()) as { error: { type: string; message: string } }
    assert.strictEqual(error.type, "insufficient_balance")
    assert.include(error.message, `${gateway.url}/dashboard/topup`)
    await gateway.credit(accountId, "100")
    assert.strictEqual((await ask(key, hello)).status, 200)
  })
})
