/** Clients that go away: charged for what they got, not for what they did not, and the upstream is told. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ask, chatCall, messagesCall, responsesCall } from "./ask.ts"
import { leaveBeforeAnswer, openStream } from "./open-stream.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({
    yaml: {
      limits: { stalled_client_seconds: 2, drain_seconds: 5 },
      providers: { deepseek: { on_client_leave: "drain" } }
    }
  })
})
afterAll(() => gateway.stop())

const fifty = 50_000_000_000n

const aborted = async (): Promise<number> => (await gateway.seen()).aborted

const calls = [
  [
    "/v1/messages",
    (sim: string, more = {}) => messagesCall(`[sim: ${sim}]`, { max_tokens: 4000, ...more }),
    "text_delta"
  ],
  ["/v1/chat/completions", (sim: string, more = {}) => chatCall(`[sim: ${sim}]`, more), '"content":"'],
  [
    "/v1/responses",
    (sim: string, more = {}) => responsesCall(`[sim: ${sim}]`, more),
    '"type":"response.output_text.delta"'
  ]
] as const

describe("a client that leaves a stream in the middle", () => {
  for (const [path, call, content] of calls) {
    it(`of ${path} pays for what it got, by the gateway's own count, and the upstream is aborted`, async () => {
      const mine = await gateway.account()
      const before = await aborted()
      const client = await openStream(
        gateway,
        mine.key,
        path,
        call("tokens=2000 interval=5", { stream: true })
      )
      await client.until(content, 40)
      client.leave()
      const got = client.text.split(content).length - 1
      await gateway.seen({ aborted: before + 1 })
      const [row] = await gateway.calls(mine.accountId, 1)
      assert.strictEqual(row!.id, client.id)
      assert.deepStrictEqual(
        [row!.status, row!.error_type, row!.estimated],
        [499, "client_closed_request", true]
      )
      assert.isAbove(row!.input_tokens, 0)
      // One event of the simulator is about one token; some were on their way when the client left.
      assert.isAtLeast(row!.output_tokens, Math.floor(got * 0.7))
      assert.isBelow(row!.output_tokens, 1500)
      assert.strictEqual(await gateway.balance(mine.accountId), fifty - row!.cost_micro_vnd)
    })

    it(`of ${path} before any content pays nothing`, async () => {
      const mine = await gateway.account()
      for (const sim of ["latency=60000", "first=60000"]) {
        const before = await aborted()
        await leaveBeforeAnswer(gateway, mine.key, path, call(sim, { stream: true }))
        await gateway.seen({ aborted: before + 1 })
      }
      const rows = await gateway.calls(mine.accountId, 2)
      assert.strictEqual(rows.length, 2)
      for (const row of rows) {
        assert.strictEqual(row.status, 499)
        assert.strictEqual(row.cost_micro_vnd, 0n)
      }
      assert.strictEqual(await gateway.balance(mine.accountId), fifty)
    })

    it(`of ${path} asked for plainly pays nothing when the answer had not come`, async () => {
      const mine = await gateway.account()
      const before = await aborted()
      await leaveBeforeAnswer(gateway, mine.key, path, call("latency=60000"))
      await gateway.seen({ aborted: before + 1 })
      const [row] = await gateway.calls(mine.accountId, 1)
      assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [499, 0n])
      assert.strictEqual(await gateway.balance(mine.accountId), fifty)
    })
  }

  it("after its upstream's count pays all of that, beyond what was held for to begin with", async () => {
    const mine = await gateway.account()
    // The twelfth event is the finish, and tells of thoughts that nobody has seen.
    const sim = "[sim: tokens=10 reasoning=9000 usage=finish hang=after:12]"
    const body = chatCall(sim, { stream: true })
    const client = await openStream(gateway, mine.key, "/v1/chat/completions", body)
    await client.until('"finish_reason":"stop"')
    client.leave()
    const [row] = await gateway.calls(mine.accountId, 1)
    assert.deepStrictEqual([row!.status, row!.output_tokens, row!.estimated], [499, 9010, false])
  })

  it("of a model priced per request pays the whole price once content has come", async () => {
    const mine = await gateway.account()
    const client = await openStream(gateway, mine.key, "/v1/chat/completions", {
      ...chatCall("[sim: tokens=2000 interval=5]", { stream: true }),
      model: "req/gpt-5.5"
    })
    await client.until('"content":"')
    client.leave()
    const [row] = await gateway.calls(mine.accountId, 1)
    assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [499, 650_000_000n])
  })

  it("frees what it held", async () => {
    const mine = await gateway.account("10")
    const body = messagesCall("[sim: tokens=600 interval=5]", { stream: true, max_tokens: 1400 })
    const client = await openStream(gateway, mine.key, "/v1/messages", body)
    await client.until("text_delta")
    client.leave()
    await gateway.calls(mine.accountId, 1)
    const next = await ask(gateway, mine.key, "/v1/messages", messagesCall("Hello", { max_tokens: 64 }))
    assert.strictEqual(next.status, 200)
  })
})

describe("a provider that is drained", () => {
  const drained = (sim: string, model = "deepseek-v4-flash") => ({
    ...chatCall(`[sim: ${sim}]`, { stream: true }),
    model
  })

  // AWS is drained without a setting.
  it.each(["deepseek-v4-flash", "svc/claude-sonnet-5", "svc/nova-pro"])(
    "goes on to its end, and its own count is charged (%s)",
    async (model) => {
      const mine = await gateway.account()
      const { finished } = await gateway.seen()
      const before = await aborted()
      const client = await openStream(
        gateway,
        mine.key,
        "/v1/chat/completions",
        drained("tokens=80 interval=10 reasoning=7", model)
      )
      await client.until('"content":"')
      client.leave()
      await gateway.seen({ finished: finished + 1 })
      const [row] = await gateway.calls(mine.accountId, 1)
      assert.deepStrictEqual([row!.status, row!.output_tokens, row!.estimated], [499, 87, false])
      assert.strictEqual(await aborted(), before)
    }
  )

  it("before any content is broken off at once, and costs nothing although content would have come", async () => {
    const mine = await gateway.account()
    const before = await aborted()
    await leaveBeforeAnswer(gateway, mine.key, "/v1/chat/completions", drained("first=3000 tokens=20"))
    await gateway.seen({ aborted: before + 1 })
    const [row] = await gateway.calls(mine.accountId, 1)
    assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [499, 0n])
  })

  it("that takes too long is aborted, and what had come is charged", async () => {
    const mine = await gateway.account()
    const before = await aborted()
    const client = await openStream(
      gateway,
      mine.key,
      "/v1/chat/completions",
      drained("tokens=20000 interval=10")
    )
    await client.until('"content":"')
    client.leave()
    await gateway.seen({ aborted: before + 1 })
    const [row] = await gateway.calls(mine.accountId, 1)
    assert.deepStrictEqual([row!.status, row!.estimated], [499, true])
    assert.isAbove(row!.output_tokens, 20)
    assert.isBelow(row!.output_tokens, 2000)
  })

  it("that breaks off by itself costs nothing", async () => {
    const mine = await gateway.account()
    const client = await openStream(
      gateway,
      mine.key,
      "/v1/chat/completions",
      drained("tokens=200 interval=10 cut_after=40")
    )
    await client.until('"content":"')
    client.leave()
    const [row] = await gateway.calls(mine.accountId, 1)
    assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [499, 0n])
  })
})

describe("a client that stops reading", () => {
  it("is cut off after its time, and pays for what came", async () => {
    const mine = await gateway.account("1000000")
    const before = await aborted()
    const body = messagesCall("[sim: big=100000000]", { stream: true, max_tokens: 128_000 })
    const client = await openStream(gateway, mine.key, "/v1/messages", body, {
      keepsText: false,
      read: false
    })
    await gateway.seen({ aborted: before + 1 })
    const [row] = await gateway.calls(mine.accountId, 1)
    assert.deepStrictEqual(
      [row!.status, row!.error_type, row!.estimated],
      [499, "client_closed_request", true]
    )
    assert.isAbove(row!.output_tokens, 0)
    client.read()
    assert.isFalse((await client.ended).complete)
  })
})
