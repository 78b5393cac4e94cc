/** Images and speech of tiers that the operator has priced: what is held for them, charged and told. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { audit } from "../../src/ledger/audit.ts"
import { replay } from "../gateway/ask.ts"
import { startGateway, type TestGateway } from "../gateway/start-gateway.ts"

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ yaml: { providers: { openai: { tiers: { priority: 1.5 } } } } })
})
afterAll(() => gateway.stop())

const picture = JSON.stringify({ data: [{ b64_json: "iVBORw0KGgo=" }, { b64_json: "iVBORw0KGgo=" }] })
const image = { model: "req/gpt-image-2", prompt: "A house", n: 2 }
const speech = { model: "req/gpt-4o-mini-tts", input: "Hello", voice: "alloy" }
const calls = [
  ["images/generations", image, "application/json", picture, 2000],
  ["images/edits", { ...image, image: "iVBORw0KGgo=" }, "application/json", picture, 2000],
  ["audio/speech", speech, "audio/mpeg", "sound", 1350]
] as const

describe.each(calls)("a call of %s", (path, asked, contentType, answer, price) => {
  const post = async (key: string, service_tier: string | undefined) => {
    const headers = { "content-type": contentType }
    await replay(gateway, { path: `/v1/${path}`, body: Buffer.from(answer), headers })
    return fetch(`${gateway.url}/v1/${path}`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ ...asked, service_tier })
    })
  }

  it.each([
    [undefined, null, 1],
    ["default", null, 1],
    ["flex", "flex", 1],
    ["priority", "priority", 1.5]
  ] as const)("of the tier %s costs what the operator says", async (tier, told, factor) => {
    const due = price * factor
    // All of it is held: a dong less does not do.
    const poor = await gateway.account(String(due - 1))
    assert.strictEqual((await post(poor.key, tier)).status, 402)
    const { accountId, key } = await gateway.account(String(due))
    const response = await post(key, tier)
    assert.strictEqual(response.status, 200, await response.clone().text())
    assert.strictEqual(response.headers.get("x-svc-cost-vnd"), String(due))
    await response.arrayBuffer()
    const [row] = await gateway.calls(accountId, 1)
    assert.deepStrictEqual([row!.cost_micro_vnd, row!.tier], [BigInt(due) * 1_000_000n, told])
    assert.strictEqual(await gateway.balance(accountId), 0n)
    assert.deepStrictEqual((await gateway.run(audit())).violations, [])
  })
})
