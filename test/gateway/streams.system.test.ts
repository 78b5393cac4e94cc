/** Streams that go wrong or go slowly: the status line waits for content, idle ones live, broken ones never look whole. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type Answered, ask, chatCall, messagesCall, replay, responsesCall } from "./ask.ts"
import { expectError } from "./endpoints.ts"
import { dataOf } from "./recorded-usage.ts"
import { openStream } from "./open-stream.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
/** Has the usual limits: whatever fails before any content does so before a keep-alive is due, on a busy machine, too. */
let patient: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startGateway({ yaml: { limits: { keep_alive_seconds: 1, call_timeout_seconds: 5 } } })
  patient = await startGateway({ databaseUrl: gateway.databaseUrl })
  account = await gateway.account()
})
afterAll(async () => {
  await patient.stop()
  await gateway.stop()
})

const protocols = [
  ["/v1/messages", (sim: string, more = {}) => messagesCall(`[sim: ${sim}]`, { stream: true, ...more })],
  ["/v1/chat/completions", (sim: string, more = {}) => chatCall(`[sim: ${sim}]`, { stream: true, ...more })],
  ["/v1/responses", (sim: string, more = {}) => responsesCall(`[sim: ${sim}]`, { stream: true, ...more })]
] as const

/** Its clients take no keep-alive before the stream's first event. */
const keptWaiting = "/v1/responses"

const familyOf = (path: string) => (path === "/v1/messages" ? "messages" : "chat")

/** The circuit of a provider stays closed. */
const succeed = async (node = gateway) => {
  for (const [path, call] of protocols) {
    assert.strictEqual((await ask(node, account.key, path, call("tokens=1"))).status, 200)
  }
}

const expectFree = async (who: TestAccount, count: number, statuses: ReadonlyArray<number>) => {
  const rows = await gateway.calls(who.accountId, count)
  assert.strictEqual(rows.length, count)
  for (const row of rows) {
    assert.include(statuses, row.status)
    assert.isNotEmpty(row.error_type)
    assert.strictEqual(row.cost_micro_vnd, 0n)
  }
  assert.strictEqual(await gateway.balance(who.accountId), 50_000_000_000n)
}

/** A stream that ends with the protocol's error event and nothing that looks like a good end. */
const expectBroken = (answer: Pick<Answered, "text">, type = "api_error") => {
  const events = answer.text.split("\n\n").filter((event) => event.trim() !== "")
  const last = events.findLast((event) => !event.startsWith("event: response.failed"))!
  const data = JSON.parse(dataOf(last).at(-1)!) as { error?: { type: string }; type?: string; code?: string }
  assert.strictEqual(data.error?.type ?? data.code, type, last)
  for (const end of ["[DONE]", "message_stop", "response.completed"]) assert.notInclude(answer.text, end)
}

describe("a stream whose upstream fails before any content", () => {
  it("is a real HTTP error, in every protocol", async () => {
    const mine = await gateway.account()
    let count = 0
    for (const [path, call] of protocols) {
      for (const sim of ["fail_after=0", "fail_after=1", "cut_after=1", "end_after=1", "rubbish_after=1"]) {
        const answer = await ask(patient, mine.key, path, call(sim))
        expectError(answer, 502, "api_error", familyOf(path))
        count++
        await succeed(patient)
      }
    }
    await expectFree(mine, count, [502])
  })

  it("with a rate limit in its stream is 429, which is no fault that opens a circuit", async () => {
    const event = '{"type":"error","error":{"type":"rate_limit_error","message":"Slow down"}}'
    const times = 8
    await replay(patient, {
      path: "/v1/messages",
      headers: { "content-type": "text/event-stream" },
      body: `event: error\ndata: ${event}\n\n`,
      times
    })
    // A provider that has not answered well before, which would outweigh what comes now.
    const call = { ...messagesCall("Hello", { stream: true }), model: "minimax-m3" }
    for (let time = 0; time < times; time++)
      expectError(await ask(patient, account.key, "/v1/messages", call), 429, "rate_limit_error")
    assert.strictEqual((await ask(patient, account.key, "/v1/messages", call)).status, 200)
  })
})

describe("a stream whose upstream fails under way", () => {
  for (const [path, call] of protocols) {
    it(`of ${path} ends with an error event, never with a good end, and costs nothing`, async () => {
      const mine = await gateway.account()
      const faults = ["fail_after=8", "cut_after=8", "end_after=8", "rubbish_after=8"]
      for (const fault of faults) {
        const answer = await ask(gateway, mine.key, path, call(`${fault} tokens=60 interval=1`))
        assert.strictEqual(answer.status, 200)
        expectBroken(answer)
        await succeed()
      }
      await expectFree(mine, faults.length, [502])
    })
  }

  it("tells the client's protocol of it as that protocol does", async () => {
    const texts = []
    for (const [path, call] of protocols) {
      texts.push((await ask(gateway, account.key, path, call("fail_after=8 tokens=60"))).text)
      await succeed()
    }
    const lastOf = (text: string) => text.trimEnd().split("\n\n").at(-1)!
    assert.match(lastOf(texts[0]!), /^event: error\ndata: \{"type":"error","error":\{"type":"api_error"/)
    assert.match(lastOf(texts[1]!), /^data: \{"error":\{"type":"api_error"/)
    const [told, last] = dataOf(texts[2]!)
      .slice(-2)
      .map((data) => JSON.parse(data) as Record<string, unknown>)
    assert.deepInclude(told, { type: "error", code: "server_error" })
    assert.deepInclude(told!["error"], { type: "api_error", code: "server_error" })
    assert.match(lastOf(texts[2]!), /^event: response\.failed\ndata: \{"type":"response\.failed"/)
    assert.deepInclude(last!["response"], { status: "failed", usage: null })
    const numbers = dataOf(texts[2]!).map(
      (data) => (JSON.parse(data) as { sequence_number: number }).sequence_number
    )
    assert.deepStrictEqual(
      numbers,
      numbers.map((_, index) => index)
    )
  })
})

describe("a stream that is silent", () => {
  it("of Messages gets pings, also before anything has come", async () => {
    const answer = await ask(gateway, account.key, "/v1/messages", protocols[0][1]("first=2500"))
    assert.strictEqual(answer.status, 200)
    assert.match(answer.text, /^event: ping\ndata: \{"type": ?"ping"\}\n\n/)
    assert.include(answer.text, "message_stop")
  })

  it("C93 of chat gets comments without a blank line, which would be an event, also before anything has come", async () => {
    const answer = await ask(gateway, account.key, "/v1/chat/completions", protocols[1][1]("first=2500"))
    assert.strictEqual(answer.status, 200)
    assert.match(answer.text, /^(: ?\S+\n)+data: /)
    assert.include(answer.text, "[DONE]")
  })

  it("of Responses gets keep-alive events, after response.created only", async () => {
    const silent = await ask(gateway, account.key, "/v1/responses", protocols[2][1]("first=2500"))
    assert.match(silent.text, /^event: response\.created\n/)
    const client = await openStream(
      gateway,
      account.key,
      "/v1/responses",
      protocols[2][1]("tokens=60 hang=after:8")
    )
    await client.until('"type":"keepalive"')
    client.leave()
    const keepAlives = dataOf(client.text)
      .map((data) => JSON.parse(data) as { type: string; sequence_number: number })
      .filter(({ type }) => type === "keepalive")
    assert.isNotEmpty(keepAlives)
    assert.isTrue(keepAlives.every(({ sequence_number: number }) => Number.isInteger(number)))
  })
})

describe("a stream whose upstream does not even begin to answer", () => {
  it("goes out with its status line at the first keep-alive, where it has one; an error after that is an event", async () => {
    const mine = await gateway.account()
    for (const [path, call] of protocols) {
      const late = await ask(gateway, mine.key, path, call("latency=2500"))
      assert.strictEqual(late.status, 200)
      assert.strictEqual(late.headers.get("x-svc-model"), call("").model)
      assert.match(late.text, /message_stop|\[DONE\]|response\.completed/)
      const failed = await ask(gateway, mine.key, path, call("latency=2500 status=500"))
      if (path === keptWaiting) expectError(failed, 502, "api_error", familyOf(path))
      else {
        assert.strictEqual(failed.status, 200)
        expectBroken(failed)
      }
      await succeed()
    }
    const rows = await gateway.calls(mine.accountId, 6)
    assert.deepStrictEqual(
      rows.map((row) => row.status),
      [200, 502, 200, 502, 200, 502]
    )
    for (const row of rows) assert.strictEqual(row.cost_micro_vnd > 0n, row.status === 200)
  })
})

// The last one, since it opens the providers' circuits.
describe("a call that takes too long", () => {
  it("is 502 where nothing has gone out, an error event where something has, and costs nothing", async () => {
    const mine = await gateway.account()
    const calls = [
      ...protocols.map(([path, call]) =>
        ask(gateway, mine.key, path, call("hang=headers", { stream: false }))
      ),
      ...protocols.map(([path, call]) => ask(gateway, mine.key, path, call("hang=headers"))),
      ...protocols.map(([path, call]) => ask(gateway, mine.key, path, call("hang=after:8 tokens=60")))
    ]
    const answers = await Promise.all(calls)
    for (const [index, answer] of answers.entries()) {
      const [path] = protocols[index % 3]!
      // A stream has been kept alive in the meantime, where that is possible before its first event.
      const isStarted = index >= 6 || (index >= 3 && path !== keptWaiting)
      if (!isStarted) expectError(answer, 502, "api_error", familyOf(path))
      else expectBroken(answer)
    }
    await expectFree(mine, 9, [502])
    await gateway.seen({ openStreams: 0 })
  })
})
