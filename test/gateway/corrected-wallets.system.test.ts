/** Wallets that an operator takes money from while calls hold it. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ask, messagesCall } from "./ask.ts"
import { expectError } from "./endpoints.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

describe("a correction while a call is under way", () => {
  it("leaves nothing of what the call held to later ones", async () => {
    const mine = await gateway.account("100")
    const { started } = await gateway.seen()
    const slow = messagesCall("[sim: latency=1500 status=500]")
    const underWay = ask(gateway, mine.key, "/v1/messages", slow)
    await gateway.seen({ started: started + 1 })
    await gateway.credit(mine.accountId, "-99.999", { force: true })
    expectError(await underWay, 502, "api_error")
    for (let count = 0; count < 3; count++)
      expectError(await ask(gateway, mine.key, "/v1/messages", messagesCall()), 402, "insufficient_balance")
    assert.strictEqual(await gateway.balance(mine.accountId), 1_000n)
    await gateway.credit(mine.accountId, "1")
    assert.strictEqual((await ask(gateway, mine.key, "/v1/messages", messagesCall())).status, 200)
  })
})
