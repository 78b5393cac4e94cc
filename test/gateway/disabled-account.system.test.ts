/** A disabled account may use nothing of the gateway, also what is free; what is under way ends as it would have. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { setAccountStatus } from "../../src/accounts/accounts.ts"
import { ask, type ErrorBody, messagesCall, readAnswer } from "./ask.ts"
import { openStream } from "./open-stream.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

let one: TestGateway
let other: TestGateway
beforeAll(async () => {
  const yaml = { limits: { hold_output_tokens: 16 } }
  one = await startGateway({ yaml })
  other = await startGateway({ yaml, databaseUrl: one.databaseUrl })
})
afterAll(async () => {
  await other?.stop()
  await one?.stop()
})

const setStatus = ({ accountId }: TestAccount, status: "active" | "disabled") =>
  one.run(setAccountStatus(accountId, status, "test"))

const free = [
  "/v1/models",
  "/v1/models/claude-sonnet-5",
  "/v1/balance",
  "/v1/usage",
  "/v1/dashboard/billing/usage"
]

/** The status and, where it is an error, what is said. */
const asked = async (node: TestGateway, { key }: TestAccount): Promise<ReadonlyArray<string>> => {
  const count = { model: "claude-sonnet-5", messages: [{ role: "user", content: "hi" }] }
  const answers = await Promise.all([
    ask(node, key, "/v1/messages", messagesCall("hi")),
    ask(node, key, "/v1/messages/count_tokens", count),
    ...free.map(async (path) => readAnswer(await fetch(node.url + path, { headers: { "x-api-key": key } })))
  ])
  const told = answers.map(({ status, text }) =>
    status === 200 ? "200" : `${status} ${(JSON.parse(text) as ErrorBody).error.message}`
  )
  return [...new Set(told)]
}

describe("a disabled account", () => {
  it("may use nothing on any node, from when that is answered until it is enabled again", async () => {
    const mine = await one.account()
    assert.deepStrictEqual([await asked(one, mine), await asked(other, mine)], [["200"], ["200"]])
    const { started } = await one.seen()
    await setStatus(mine, "disabled")
    const refusal = ["401 This API key has been revoked, or its account is disabled."]
    assert.deepStrictEqual([await asked(one, mine), await asked(other, mine)], [refusal, refusal])
    assert.strictEqual((await one.seen()).started, started, "nothing of it reaches a provider")
    await setStatus(mine, "active")
    assert.deepStrictEqual([await asked(one, mine), await asked(other, mine)], [["200"], ["200"]])
  })

  it("has its streams that are under way go on to their end, and pays for them", async () => {
    const mine = await one.account()
    const call = messagesCall("[sim: tokens=300 interval=5]", { stream: true, max_tokens: 400 })
    const stream = await openStream(one, mine.key, "/v1/messages", call)
    await stream.until("content_block_delta")
    await setStatus(mine, "disabled")
    const { complete, text } = await stream.ended
    assert.isTrue(complete)
    assert.include(text, "message_stop")
    const [row] = await one.calls(mine.accountId, 1)
    assert.deepStrictEqual([row!.status, row!.output_tokens], [200, 300])
  })
})
